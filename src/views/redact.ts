import { isSensitiveField } from "../decode/sensitive.ts";
import { decodePercent } from "./percent.ts";

/** Query and form fields whose values are secrets, in lower case. `redact` in a configuration file adds to them. */
const SENSITIVE_PARAMETERS: readonly string[] = [
  "access_token",
  "api-key",
  "api_key",
  "apikey",
  "auth",
  "auth_token",
  "authorization",
  "client_secret",
  "id_token",
  "jwt",
  "passwd",
  "password",
  "pwd",
  "refresh_token",
  "secret",
  "session",
  "session_id",
  "sessionid",
  "sig",
  "signature",
  "token",
  "x-amz-security-token",
  "x-amz-signature",
  "x-goog-signature",
];

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
 * `[redacted 151 octets]`, so that its size stays known.
 */
export class Redactor {
  readonly showSecrets: boolean;
  readonly #names: ReadonlySet<string>;
  readonly #parameters: ReadonlySet<string>;

  constructor(options: RedactorOptions = {}) {
    this.showSecrets = options.showSecrets ?? false;
    const names = (options.names ?? []).map((name) => name.toLowerCase());
    this.#names = new Set(names);
    this.#parameters = new Set([...SENSITIVE_PARAMETERS, ...names]);
  }

  /** Whether there are names that nobody but this redactor knows as secret. */
  get hasOwnNames(): boolean {
    return this.#names.size > 0;
  }

  /** The value of a field line. Names of cookies, and of a Set-Cookie's attributes, stay. */
  fieldValue(name: string | null, value: string, neverIndexed: boolean): string {
    if (this.showSecrets) return value;
    const lower = name?.toLowerCase() ?? "";
    if (lower === "cookie") return value.split(";").map(cookiePair).join(";");
    if (lower === "set-cookie") return setCookie(value);
    if (neverIndexed || this.#isSecretName(lower)) return redacted(value);
    if (lower === ":authority" || lower === "host") return this.authority(value);
    return this.text(value);
  }

  /** An authority: userinfo goes, host and port stay. */
  authority(authority: string): string {
    if (this.showSecrets) return authority;
    const at = authority.lastIndexOf("@");
    return at < 0 ? authority : `${redacted(authority.slice(0, at))}${authority.slice(at)}`;
  }

  /** A request line; the target of CONNECT is an authority (RFC 9112 §3.2.3), any other a URL or path. */
  startLine(line: string): string {
    if (this.showSecrets) return line;
    const connect = /^(CONNECT +)(\S*)(.*)$/s.exec(line);
    return connect === null ? this.text(line) : `${connect[1]}${this.authority(connect[2] ?? "")}${connect[3]}`;
  }

  /** A request-target. */
  target(method: string | null, target: string): string {
    return method === "CONNECT" ? this.authority(target) : this.text(target);
  }

  /**
   * Any other text that may quote the wire: userinfo of URLs, `name=value` with a sensitive name (in queries, fragments and forms), and
   * `Name: value` with the name of a sensitive field.
   */
  text(text: string): string {
    if (this.showSecrets) return text;
    const [head, secret] = this.#splitAtSecretField(text);
    let result = head;
    if (result.includes("@"))
      result = result.replace(/\/\/([^/?#\s"<>]*)@/g, (_, userinfo: string) => `//${redacted(userinfo)}@`);
    if (result.includes("=")) result = result.replace(/[^&#\s"<>]+/g, (piece) => this.#parameter(piece));
    return secret === null ? result : result + redacted(secret);
  }

  #isSecretName(lower: string): boolean {
    return isSensitiveField(lower) || this.#names.has(lower);
  }

  /** One piece between `&`: the value runs to its end, whatever else is in it. */
  #parameter(piece: string): string {
    for (const match of piece.matchAll(/(?<=^|[?;,])([^?;,=]*)=/g)) {
      if (!this.#isSecretParameter(match[1] ?? "")) continue;
      const from = match.index + match[0].length;
      return `${piece.slice(0, from)}${redacted(piece.slice(from))}`;
    }
    return piece;
  }

  /** `user[password]` counts by its innermost name. */
  #isSecretParameter(written: string): boolean {
    const name = decodePercent(written).toLowerCase().trim();
    const inner = /\[([^\][]+)\]$/.exec(name)?.[1];
    return this.#parameters.has(name) || (inner !== undefined && this.#parameters.has(inner));
  }

  /** Everything after the first `authorization:` is its value. */
  #splitAtSecretField(text: string): readonly [head: string, secret: string | null] {
    if (!text.includes(":")) return [text, null];
    // The look-behind starts a match at the beginning of a token only: otherwise a long token would be read once for each octet.
    for (const match of text.matchAll(/(?<![\w!#$%&'*+.^`|~-])([\w!#$%&'*+.^`|~-]+)\s*:[ \t]*/g)) {
      if (!this.#isSecretName((match[1] ?? "").toLowerCase())) continue;
      const from = match.index + match[0].length;
      return [text.slice(0, from), text.slice(from)];
    }
    return [text, null];
  }
}

function redacted(secret: string): string {
  return redactedLabel(secret.length);
}

/** `sid=[redacted 4 octets]`; a cookie without a name is all value. */
function cookiePair(pair: string): string {
  const start = pair.length - pair.trimStart().length;
  const equals = pair.indexOf("=");
  const from = equals < 0 ? start : equals + 1;
  return pair.trim() === "" ? pair : `${pair.slice(0, from)}${redacted(pair.slice(from))}`;
}

/** RFC 6265 §4.1.1: the attributes after the first `;` are no secret. */
function setCookie(value: string): string {
  const end = value.indexOf(";");
  return end < 0 ? cookiePair(value) : `${cookiePair(value.slice(0, end))}${value.slice(end)}`;
}
