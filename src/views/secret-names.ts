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

/** Words that make a JSON or protobuf field's name sensitive wherever they stand in it … */
const SECRET_WORDS: ReadonlySet<string> = new Set([
  "apikey",
  "credential",
  "credentials",
  "csrf",
  "jwt",
  "otp",
  "passphrase",
  "passwd",
  "password",
  "pwd",
  "secret",
  "token",
]);
/** … and those that do before `key`. */
const KEY_KINDS: ReadonlySet<string> = new Set(["access", "api", "encryption", "private", "secret", "signing"]);

/** How often a name or a value is taken to be percent-encoded over itself. */
export const ENCODING_DEPTH = 3;

/** What can stand before a name; once percent-encoding is undone, these can come out of a name itself. */
const BEFORE_NAME = /[?;,&#/|(){}<>=:"'`\\]/;

/** The names whose values are secrets: the built-in ones and one's own. */
export class SecretNames {
  readonly #own: ReadonlySet<string>;
  readonly #parameters: ReadonlySet<string>;
  /** The same without `-` and `_`: `accessToken` is `access_token`. */
  readonly #members: ReadonlySet<string>;

  /** @param own names of field lines and of query and form fields alike; their case does not matter. */
  constructor(own: readonly string[]) {
    const lower = own.map((name) => name.toLowerCase());
    this.#own = new Set(lower);
    this.#parameters = new Set([...SENSITIVE_PARAMETERS, ...lower]);
    this.#members = new Set([...this.#parameters].map(joined));
  }

  /** Whether the whole value of a field line with this name is secret. */
  isField(name: string): boolean {
    const lower = name.trim().toLowerCase();
    return isSensitiveField(lower) || this.#own.has(lower);
  }

  /**
   * Whether a query, form or JSON field is secret. Percent-encoding and `+` are undone first; a name of parts, such as
   * `user[password]`, `user.password` or `password[]`, is secret by any of them.
   */
  isParameter(written: string): boolean {
    let name = written;
    for (let depth = 0; depth < ENCODING_DEPTH && name.includes("%"); depth++) name = decodePercent(name);
    const last = name.split(BEFORE_NAME).at(-1) ?? "";
    const plain = last
      .toLowerCase()
      .replace(/[\p{Cc} +]+/gu, " ")
      .trim();
    return this.#isKnown(plain) || plain.split(/[\][.]/).some((part) => this.#isKnown(part));
  }

  /**
   * Whether what stands below a path of JSON or protobuf field names, joined by dots, is secret: any of the names may be, by itself or by a
   * word in it (`newPassword`, `aws_secret_access_key`).
   */
  isMember(path: string): boolean {
    return path.split(".").some((name) => this.isParameter(name) || this.#isSecretMember(name));
  }

  #isSecretMember(name: string): boolean {
    const words = name
      .normalize("NFKC")
      .replace(/[\u200b-\u200f\u2060\ufeff]/g, "")
      .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u);
    if (this.#members.has(words.join("")) || words.some((word) => SECRET_WORDS.has(word))) return true;
    return words.some((word, at) => KEY_KINDS.has(word) && words[at + 1] === "key");
  }

  #isKnown(lower: string): boolean {
    return this.#parameters.has(lower) || isSensitiveField(lower);
  }
}

function joined(lower: string): string {
  return lower.replace(/[-_]/g, "");
}
