/**
 * What must not reach a terminal as it is: control characters (C0, DEL, C1), format characters (bidi controls, zero width, BOM, tags),
 * line and paragraph separators, lone surrogates, private use, noncharacters.
 */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Noncharacter_Code_Point}]/gu;
/** A backslash that would read as one of our escapes. */
const ESCAPE_LOOKALIKE = /\\(?=[xu])/g;
/** Nothing to do: printable US-ASCII without a backslash. */
const PLAIN = /^[\x20-\x5b\x5d-\x7e]*$/;

/**
 * Text from the wire for a terminal: printable characters stay, all others become `\x1b` (C0), `\u202e` or `\u{e0001}`. The result
 * is unambiguous: a backslash before an x or u of the text itself is shown as `\x5c`.
 */
export function escapeText(text: string): string {
  if (PLAIN.test(text)) return text;
  return text.replace(ESCAPE_LOOKALIKE, "\\x5c").replace(UNSAFE, visible);
}

/** The same for an octet string (one UTF-16 unit per octet): valid UTF-8 is read as such, other octets are shown as `\x9b`. */
export function escapeOctets(octets: string): string {
  if (PLAIN.test(octets)) return octets;
  const bytes = Buffer.from(octets, "latin1");
  let out = "";
  let textFrom = 0;
  let at = 0;
  while (at < bytes.length) {
    const length = sequenceLength(bytes, at);
    if (length > 0) {
      at += length;
      continue;
    }
    out += escapeText(bytes.toString("utf8", textFrom, at));
    out += `\\x${bytes[at]?.toString(16).padStart(2, "0")}`;
    at += 1;
    textFrom = at;
  }
  return out + escapeText(bytes.toString("utf8", textFrom));
}

/** The text of an octet string, or null when it is not UTF-8. */
export function utf8Text(octets: string): string | null {
  if (PLAIN.test(octets)) return octets;
  const bytes = Buffer.from(octets, "latin1");
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceLength(bytes, at);
    if (length === 0) return null;
    at += length;
  }
  return bytes.toString("utf8");
}

/**
 * JSON text whose strings keep their exact values and hold no character that a terminal would act on: those are `\u009b` escapes.
 * @param indent spaces of a level; 0 for one line.
 */
export function safeJson(value: unknown, indent = 0): string {
  return JSON.stringify(value, null, indent).replace(UNSAFE, jsonEscape);
}

function visible(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x80) return `\\x${code.toString(16).padStart(2, "0")}`;
  return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, "0")}`;
}

function jsonEscape(character: string): string {
  // The only control character outside of strings is the line end of an indented document.
  if (character === "\n") return character;
  return character.replace(/./gs, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Octets of the well-formed UTF-8 sequence at `at` (Unicode table 3-7: no overlong forms, no surrogates), 0 when there is none. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return 1;
  const second = bytes[at + 1] ?? 0;
  if (first >= 0xc2 && first <= 0xdf) return continues(second) ? 2 : 0;
  if (first >= 0xe0 && first <= 0xef) {
    const low = first === 0xe0 ? 0xa0 : 0x80;
    const high = first === 0xed ? 0x9f : 0xbf;
    return second >= low && second <= high && continues(bytes[at + 2]) ? 3 : 0;
  }
  if (first >= 0xf0 && first <= 0xf4) {
    const low = first === 0xf0 ? 0x90 : 0x80;
    const high = first === 0xf4 ? 0x8f : 0xbf;
    return second >= low && second <= high && continues(bytes[at + 2]) && continues(bytes[at + 3]) ? 4 : 0;
  }
  return 0;
}

function continues(octet: number | undefined): boolean {
  return octet !== undefined && octet >= 0x80 && octet <= 0xbf;
}
