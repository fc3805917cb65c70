const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const BRACKET_OPEN = 0x5b;
const BRACKET_CLOSE = 0x5d;
const BRACE_OPEN = 0x7b;
const BRACE_CLOSE = 0x7d;

/** What may come next. */
const VALUE = 0;
const VALUE_OR_CLOSE = 1;
const KEY = 2;
const KEY_OR_CLOSE = 3;
const COLON_NEXT = 4;
const AFTER_VALUE = 5;

/** One bit a level. So many brackets in a row are evidence enough. */
const DEEPEST = 30;
const SCALAR = /^(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)$/;
/** As far as one goes that the part looked at cuts. */
const SCALAR_BEGUN = /^(?:-?[\d.eE+-]*|t(?:r(?:ue?)?)?|f(?:a(?:l(?:se?)?)?)?|n(?:u(?:ll?)?)?)$/;

/**
 * Whether `octets[from, to)` begins with `{"` or `[`, white space aside, and goes on as JSON does (RFC 8259) to its end. Several JSON texts may
 * follow each other. Cheap for a "no": most octets are none that JSON may begin with.
 * @param whole nothing comes after `to`: then it must not end inside a value.
 */
export function isJsonShaped(octets: Uint8Array, from: number, to: number, whole: boolean): boolean {
  let at = afterWhitespace(octets, from, to);
  if (!isOpening(octets, at, to)) return false;
  let depth = 0;
  // By level, the innermost in the lowest bit: 1 for an object, 0 for an array.
  let objects = 0;
  let next = VALUE;
  while (at < to) {
    const octet = octets[at] ?? 0;
    if (octet === BRACE_OPEN || octet === BRACKET_OPEN) {
      if (next !== VALUE && next !== VALUE_OR_CLOSE) return false;
      if (++depth > DEEPEST) return true;
      objects = (objects << 1) | (octet === BRACE_OPEN ? 1 : 0);
      next = octet === BRACE_OPEN ? KEY_OR_CLOSE : VALUE_OR_CLOSE;
      at++;
    } else if (octet === BRACE_CLOSE || octet === BRACKET_CLOSE) {
      const mayClose = next === AFTER_VALUE || next === KEY_OR_CLOSE || next === VALUE_OR_CLOSE;
      if (!mayClose || octet !== ((objects & 1) === 1 ? BRACE_CLOSE : BRACKET_CLOSE)) return false;
      objects >>= 1;
      next = --depth === 0 ? VALUE : AFTER_VALUE;
      at++;
    } else if (octet === COMMA) {
      if (next !== AFTER_VALUE) return false;
      next = (objects & 1) === 1 ? KEY : VALUE;
      at++;
    } else if (octet === COLON) {
      if (next !== COLON_NEXT) return false;
      next = VALUE;
      at++;
    } else {
      const isKey = next === KEY || next === KEY_OR_CLOSE;
      if (depth === 0 || next >= COLON_NEXT || (isKey && octet !== QUOTE)) return false;
      const end = octet === QUOTE ? afterString(octets, at + 1, to) : afterScalar(octets, at, to);
      // A value that is over with the part looked at tells no more than one that is not: nothing has closed what is around it.
      if (end < 0 || end === to) return end === to && !whole;
      next = isKey ? COLON_NEXT : AFTER_VALUE;
      at = end;
    }
    at = afterWhitespace(octets, at, to);
  }
  return depth === 0 || !whole;
}

/** `[`, or `{` and the quote of its first key. */
function isOpening(octets: Uint8Array, at: number, to: number): boolean {
  if (at >= to || octets[at] !== BRACE_OPEN) return at < to && octets[at] === BRACKET_OPEN;
  const key = afterWhitespace(octets, at + 1, to);
  return key < to && octets[key] === QUOTE;
}

function afterWhitespace(octets: Uint8Array, from: number, to: number): number {
  let at = from;
  while (at < to && isWhitespace(octets[at] ?? 0)) at++;
  return at;
}

function isWhitespace(octet: number): boolean {
  return octet === 0x20 || octet === 0x0a || octet === 0x0d || octet === 0x09;
}

/** Position after the closing quote; `to` when the string does not end before that; -1 for an octet that no string has. */
function afterString(octets: Uint8Array, from: number, to: number): number {
  for (let at = from; at < to; at++) {
    const octet = octets[at] ?? 0;
    if (octet < 0x20) return -1;
    if (octet === BACKSLASH) at++;
    else if (octet === QUOTE) return at + 1;
  }
  return to;
}

/** Position after a number or literal; -1 when it is none. */
function afterScalar(octets: Uint8Array, from: number, to: number): number {
  let at = from;
  while (
    at < to &&
    !isWhitespace(octets[at] ?? 0) &&
    octets[at] !== COMMA &&
    octets[at] !== BRACKET_CLOSE &&
    octets[at] !== BRACE_CLOSE
  )
    at++;
  const scalar = String.fromCharCode(...octets.subarray(from, at));
  return (at < to ? SCALAR : SCALAR_BEGUN).test(scalar) ? at : -1;
}
