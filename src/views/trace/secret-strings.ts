import { octetString } from "http2-frame-parser";
import { CATEGORIES } from "../../decode/category.ts";
import type { UnitPart } from "../../decode/wire-unit.ts";
import type { Redactor } from "../redact.ts";

/** What a string of content consists of: its text, and in JSON its escapes. */
const STRING = /^(?:body|grpc\.message|ws\.payload)\.(?:json\.(?:key|string)\.(?:text|escape)|protobuf\.string)$/;
/** What stands right before and, in JSON, right after it. */
const BORDER = /^(?:body|grpc\.message|ws\.payload)\.(?:json\.(?:key|string)\.quote|protobuf\.length)$/;
/** JSON may stand in a string of JSON, which may stand in a string of JSON. */
const NESTED = 3;
/** RFC 8259 §7, those that stand for another octet than they show. */
const ESCAPED: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

/**
 * The parts of strings in whose text, escapes undone, something is redacted: a URL with userinfo, or `Authorization: …`. Of a string that
 * began in an earlier unit or goes on in a later one all are secret: what would tell that it is none, or that it is base64, stands there.
 */
export function secretStrings(parts: readonly UnitPart[], redactor: Redactor): ReadonlySet<UnitPart> {
  const secret = new Set<UnitPart>();
  for (let at = 0; at < parts.length; at++) {
    const from = at;
    while (at < parts.length && isOf(STRING, parts[at]) && parts[at]?.path === parts[from]?.path) at++;
    if (at === from) continue;
    const run = parts.slice(from, at);
    const open = at === parts.length || !isOf(BORDER, parts[from - 1]);
    const shown = open ? 0 : shownParts(run, redactor);
    for (const part of run.slice(shown)) secret.add(part);
    // Where only the path changed, the next run begins here.
    if (isOf(STRING, parts[at])) at--;
  }
  return secret;
}

function isOf(pattern: RegExp, part: UnitPart | undefined): boolean {
  return part !== undefined && pattern.test(CATEGORIES[part.category] ?? "");
}

/** How many parts of a whole string may be shown: all, none, or those up to the first that is cut: what follows may belong to a name in it. */
function shownParts(run: readonly UnitPart[], redactor: Redactor): number {
  const cut = run.findIndex(({ octets, shown }) => octets > shown.length);
  const known = cut < 0 ? run : run.slice(0, cut + 1);
  const text = known.map(({ shown }) => octetString(shown, 0, shown.length)).join("");
  // What is left out may be the `@` that makes a secret of what stands before it.
  if (cut >= 0 && /[/\\]{2}|\\u002f/i.test(text)) return 0;
  return isSecret(text, redactor) ? 0 : known.length;
}

function isSecret(written: string, redactor: Redactor): boolean {
  let text = written;
  for (let depth = 0; depth < NESTED; depth++) {
    if (redactor.text(text) !== text) return true;
    if (!text.includes("\\")) return false;
    text = unescaped(text);
  }
  return redactor.text(text) !== text || text.includes("\\");
}

/** The text that a JSON string stands for, its quotes aside; what is no escape stays. */
function unescaped(text: string): string {
  return text.replace(/\\(?:u([0-9a-fA-F]{4})|(.))/gs, (_, hex: string | undefined, letter: string) =>
    hex === undefined ? (ESCAPED[letter] ?? letter) : String.fromCharCode(Number.parseInt(hex, 16)),
  );
}
