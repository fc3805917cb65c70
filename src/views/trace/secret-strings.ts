import { CATEGORIES } from "../../decode/category.ts";
import { octetString } from "../../decode/octet-string.ts";
import type { UnitPart } from "../../decode/wire-unit.ts";
import type { Redactor } from "../redact.ts";

/** What a string of content consists of: its text, and in JSON its escapes. */
const STRING = /^(?:body|grpc\.message)\.(?:json\.(?:key|string)\.(?:text|escape)|protobuf\.string)$/;
/** What stands right before and, in JSON, right after it. */
const BORDER = /^(?:body|grpc\.message)\.(?:json\.(?:key|string)\.quote|protobuf\.length)$/;

/**
 * The parts of strings in whose text, escapes undone, something is redacted: a URL with userinfo, or `Authorization: …`. A string that
 * began in an earlier unit is secret: what would tell that it is none stands there.
 */
export function secretStrings(parts: readonly UnitPart[], redactor: Redactor): ReadonlySet<UnitPart> {
  const secret = new Set<UnitPart>();
  for (let at = 0; at < parts.length; at++) {
    const from = at;
    while (at < parts.length && isOf(STRING, parts[at]) && parts[at]?.path === parts[from]?.path) at++;
    if (at === from) continue;
    const run = parts.slice(from, at);
    if (!isOf(BORDER, parts[from - 1]) || isSecret(run, at === parts.length, redactor)) for (const part of run) secret.add(part);
    // Where only the path changed, the next run begins here.
    if (isOf(STRING, parts[at])) at--;
  }
  return secret;
}

function isOf(pattern: RegExp, part: UnitPart | undefined): boolean {
  return part !== undefined && pattern.test(CATEGORIES[part.category] ?? "");
}

/** @param open it goes on in a later unit. */
function isSecret(run: readonly UnitPart[], open: boolean, redactor: Redactor): boolean {
  const written = run.map(({ shown }) => octetString(shown, 0, shown.length)).join("");
  const text = written
    .replace(/\\u00([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replaceAll("\\/", "/");
  // What is left out may be the `@` that makes a secret of what stands before it.
  if ((open || run.some(({ octets, shown }) => octets > shown.length)) && text.includes("//")) return true;
  return redactor.text(text) !== text;
}
