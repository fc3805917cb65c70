const CHUNK = 4096;

/** `bytes[from, to)` as an octet string: one UTF-16 unit per octet. */
export function octetString(bytes: Uint8Array, from: number, to: number): string {
  const code = String.fromCharCode;
  if (to - from > 64) return longOctetString(bytes, from, to);
  let text = "";
  let at = from;
  // By eights: a call per octet, a spread and a decoder are all slower for the short strings that fields have.
  for (; at + 8 <= to; at += 8) {
    text += code(
      bytes[at] as number,
      bytes[at + 1] as number,
      bytes[at + 2] as number,
      bytes[at + 3] as number,
      bytes[at + 4] as number,
      bytes[at + 5] as number,
      bytes[at + 6] as number,
      bytes[at + 7] as number,
    );
  }
  for (; at < to; at++) text += code(bytes[at] as number);
  return text;
}

/** The octets of an octet string. @throws TypeError when a unit is above 0xff: that is text, not octets. */
export function octetsOf(text: string): Uint8Array {
  const out = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit > 0xff) throw new TypeError(`not an octet string: unit 0x${unit.toString(16)} at ${at}`);
    out[at] = unit;
  }
  return out;
}

/** Flat in memory, where concatenation would keep a tree of pieces. */
function longOctetString(bytes: Uint8Array, from: number, to: number): string {
  if (to - from <= CHUNK) return String.fromCharCode.apply(null, bytes.subarray(from, to) as unknown as number[]);
  const pieces: string[] = [];
  for (let at = from; at < to; at += CHUNK) pieces.push(longOctetString(bytes, at, Math.min(at + CHUNK, to)));
  return pieces.join("");
}
