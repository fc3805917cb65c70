/** A cookie's name: visible US-ASCII; quotes and commas are signs that it is something else. */
const COOKIE_NAME = /^[!#-+\--~]+$/;
/** RFC 6265 §5.2 and its successors: attributes of Set-Cookie, by lower-case name, with what their values look like. */
const ATTRIBUTES: Readonly<Record<string, RegExp>> = {
  domain: /^[a-z0-9.:[\]-]+$/i,
  expires: /^[a-z]{3,9}, ?[0-9]{1,2}[ -][a-z]{3}[ -][0-9]{2,4} [0-9]{1,2}:[0-9]{2}:[0-9]{2} [a-z]{3}$/i,
  httponly: /^$/,
  "max-age": /^-?[0-9]{1,16}$/,
  partitioned: /^$/,
  path: /^\/[^,;=?%"\s]*$/,
  priority: /^(?:low|medium|high)$/i,
  samesite: /^(?:strict|lax|none)$/i,
  secure: /^$/,
};

/** A Cookie field's value with each cookie's value replaced; names stay, and what has no name is all value. */
export function maskCookies(value: string, mask: (secret: string) => string): string {
  let shown = "";
  for (let at = 0; at <= value.length; ) {
    const end = pairEnd(value, at);
    shown += (at === 0 ? "" : ";") + cookiePair(value.slice(at, end), mask);
    at = end + 1;
  }
  return shown;
}

/** A Set-Cookie field's value: the cookie's value is replaced, and every attribute that is not one that RFC 6265 would know. */
export function maskSetCookie(value: string, mask: (secret: string) => string): string {
  const end = pairEnd(value, 0);
  const cookie = cookiePair(value.slice(0, end), mask);
  if (end === value.length) return cookie;
  const attributes = value.slice(end + 1).split(";");
  return [cookie, ...attributes.map((attribute) => maskAttribute(attribute, mask))].join(";");
}

/** Where the pair at `from` ends: at a semicolon that is not between quotes, or with the text. */
function pairEnd(value: string, from: number): number {
  const end = value.indexOf(";", from);
  if (end < 0) return value.length;
  const quote = value.indexOf('"', from);
  if (quote < 0 || quote > end) return end;
  const closing = value.indexOf('"', quote + 1);
  const after = closing < 0 ? -1 : value.indexOf(";", closing);
  return after < 0 ? value.length : after;
}

/** `sid=[redacted 4 octets]`. */
function cookiePair(pair: string, mask: (secret: string) => string): string {
  if (pair.trim() === "") return pair;
  const start = pair.length - pair.trimStart().length;
  const equals = pair.indexOf("=");
  const from = equals >= 0 && COOKIE_NAME.test(pair.slice(start, equals).trimEnd()) ? equals + 1 : start;
  return pair.slice(0, from) + mask(pair.slice(from));
}

function maskAttribute(attribute: string, mask: (secret: string) => string): string {
  if (attribute.trim() === "") return attribute;
  const start = attribute.length - attribute.trimStart().length;
  const equals = attribute.indexOf("=");
  const nameEnd = equals < 0 ? attribute.length : equals;
  const grammar = ATTRIBUTES[attribute.slice(start, nameEnd).trim().toLowerCase()];
  if (grammar === undefined) return attribute.slice(0, start) + mask(attribute.slice(start));
  const value = attribute.slice(nameEnd + 1);
  return grammar.test(value.trim()) ? attribute : attribute.slice(0, nameEnd + 1) + mask(value);
}
