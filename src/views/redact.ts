import { maskCookies, maskSetCookie } from "./cookies.ts";
import { SecretNames } from "./secret-names.ts";
import { authoritySpans, maskSpans, type SecretSpan, secretSpans, urlSpans } from "./secret-spans.ts";

/** Fields whose value is an authority. */
const AUTHORITY_FIELDS: ReadonlySet<string> = new Set([":authority", "host", "x-forwarded-host"]);
/** Fields whose value is one URL or a part of one: userinfo may stand in it without a `//` before. */
const URL_FIELDS: ReadonlySet<string> = new Set([
  "content-location",
  "destination",
  "location",
  "origin",
  "referer",
  "x-forwarded-uri",
  "x-forwarded-url",
  "x-original-uri",
  "x-original-url",
  "x-rewrite-url",
]);
/** RFC 9110 §4.2: absolute-form. */
const ABSOLUTE_FORM = /^[a-z][a-z0-9+.-]*:\/\//i;

/** What stands in the place of a secret. */
export function redactedLabel(octets: number): string {
  return `[redacted ${octets} octets]`;
}

export interface RedactorOptions {
  /** Show everything as it is. */
  readonly showSecrets?: boolean;
  /** More names, of field lines and of query and form fields alike; their case does not matter. */
  readonly names?: readonly string[];
}

/**
 * Takes secrets out of texts before they leave the process. Texts in and out are octet strings; a secret becomes
 * `[redacted 151 octets]`, so that its size stays known. What a text means decides where a secret in it ends: see {@link secretSpans}.
 */
export class Redactor {
  readonly showSecrets: boolean;
  readonly #names: SecretNames;

  constructor(options: RedactorOptions = {}) {
    this.showSecrets = options.showSecrets ?? false;
    this.#names = new SecretNames(options.names ?? []);
  }

  /** The name of a field line: none of its own is secret, but HTTP/2 peers can send any octets as a name. */
  fieldName(name: string): string {
    return this.#value(name);
  }

  /**
   * The value of a field line. Names of cookies, and the attributes of a Set-Cookie, stay. Nobody can tell whether the value of an
   * unknown name is a secret: it goes.
   */
  fieldValue(name: string | null, value: string, neverIndexed: boolean): string {
    if (this.showSecrets) return value;
    if (name === null) return redacted(value);
    const lower = name.trim().toLowerCase();
    if (lower === "cookie") return maskCookies(value, redacted);
    if (lower === "set-cookie") return maskSetCookie(value, redacted);
    if (neverIndexed || this.#names.isField(lower)) return redacted(value);
    if (AUTHORITY_FIELDS.has(lower)) return this.authority(value);
    if (lower === ":path") return this.target(value);
    return URL_FIELDS.has(lower) ? this.#url(value) : this.#value(value);
  }

  /** An authority: userinfo goes, host and port stay. What is no authority is read as a URL. */
  authority(authority: string): string {
    return this.#mask(authority, () => authoritySpans(authority, this.#names));
  }

  /** A request method. */
  method(method: string): string {
    return this.#url(method);
  }

  /** A request-line or status-line (RFC 9112 §3, §4). */
  startLine(line: string): string {
    if (this.showSecrets) return line;
    const start = skip(line, 0, isBlank);
    const methodEnd = skip(line, start, (octet) => !isBlank(octet));
    if (line.startsWith("HTTP/", start)) return this.#value(line);
    const targetStart = skip(line, methodEnd, isBlank);
    let targetEnd = line.lastIndexOf("HTTP/");
    if (targetEnd <= targetStart || !isBlank(line[targetEnd - 1])) targetEnd = line.length;
    while (targetEnd > targetStart && isBlank(line[targetEnd - 1])) targetEnd--;
    const method = line.slice(start, methodEnd);
    const target = this.target(line.slice(targetStart, targetEnd));
    return line.slice(0, start) + this.method(method) + line.slice(methodEnd, targetStart) + target + line.slice(targetEnd);
  }

  /** A request-target: what is no path and no URL is read as an authority, whatever the method (RFC 9112 §3.2.3, RFC 8441 §4). */
  target(target: string): string {
    return target.startsWith("/") || ABSOLUTE_FORM.test(target) ? this.#url(target) : this.authority(target);
  }

  /** A route: a method and a path, or a gRPC path alone. */
  route(route: string): string {
    const space = route.startsWith("/") ? -1 : route.indexOf(" ");
    if (space < 0) return this.#url(route);
    return `${this.method(route.slice(0, space))} ${this.target(route.slice(space + 1))}`;
  }

  /** Prose that may quote the wire, such as a note: a secret ends at white space, except between quotes. */
  text(text: string): string {
    return this.#mask(text, () => secretSpans(text, this.#names, "prose"));
  }

  /** Whether the value of a JSON or protobuf field is a secret by one of the names on its path, joined by dots. */
  isSecretPath(path: string): boolean {
    return !this.showSecrets && this.#names.isMember(path);
  }

  #url(url: string): string {
    return this.#mask(url, () => urlSpans(url, this.#names));
  }

  #value(value: string): string {
    return this.#mask(value, () => secretSpans(value, this.#names, "wire"));
  }

  #mask(text: string, find: () => readonly SecretSpan[]): string {
    return this.showSecrets ? text : maskSpans(text, find(), redactedLabel);
  }
}

function redacted(secret: string): string {
  return redactedLabel(secret.length);
}

/** The first octet from `from` on that is no such one. */
function skip(line: string, from: number, is: (octet: string | undefined) => boolean): number {
  let at = from;
  while (at < line.length && is(line[at])) at++;
  return at;
}

function isBlank(octet: string | undefined): boolean {
  return octet === " " || octet === "\t";
}
