/**
 * Which share of the characters in `octets[0, length)` is printable, 0 to 1; 0 when it is not UTF-8 (RFC 3629).
 * @param whole nothing comes after it: then it must not end inside a character.
 */
export function printableShare(octets: Uint8Array, length: number, whole: boolean): number {
  let characters = 0;
  let printable = 0;
  for (let at = 0; at < length; ) {
    const lead = octets[at] ?? 0;
    if (lead >= 0x20 && lead < 0x7f) {
      characters++;
      printable++;
      at++;
      continue;
    }
    const size = sizeOf(lead);
    if (size === 0) return 0;
    let code = size === 1 ? lead : lead & (0x7f >> size);
    for (let next = at + 1; next < at + size && next < length; next++) {
      const octet = octets[next] ?? 0;
      if ((octet & 0xc0) !== 0x80) return 0;
      code = (code << 6) | (octet & 0x3f);
    }
    at += size;
    if (at > length) {
      if (whole) return 0;
      break;
    }
    if (isImpossible(code, size)) return 0;
    characters++;
    if (isPrintable(code)) printable++;
  }
  return characters === 0 ? 0 : printable / characters;
}

/** Whether `octets[0, length)` is ASCII without control characters other than white space. */
export function isPrintableAscii(octets: Uint8Array, length: number): boolean {
  for (let at = 0; at < length; at++) if ((octets[at] ?? 0) > 0x7e || !isPrintable(octets[at] ?? 0)) return false;
  return true;
}

/**
 * Whether `octets[from, to)` is UTF-16 (RFC 2781) text that is Latin for the larger part, without control characters. Other scripts could
 * be anything.
 */
export function isUtf16(octets: Uint8Array, from: number, to: number, littleEndian: boolean): boolean {
  let latin = 0;
  let units = 0;
  for (let at = from; at + 1 < to; at += 2) {
    const [first, second] = [octets[at] ?? 0, octets[at + 1] ?? 0];
    const unit = littleEndian ? first | (second << 8) : (first << 8) | second;
    if (!isPrintable(unit)) return false;
    if (unit < 0x100) latin++;
    units++;
  }
  return latin * 2 > units;
}

/** Octets of the character that begins with `lead`, RFC 3629 §3; 0: none does. */
export function sizeOf(lead: number): number {
  if (lead < 0x80) return 1;
  if (lead < 0xc2) return 0;
  if (lead < 0xe0) return 2;
  if (lead < 0xf0) return 3;
  return lead < 0xf5 ? 4 : 0;
}

/** RFC 3629 §3: longer than needed, a surrogate, or beyond U+10FFFF. */
function isImpossible(code: number, size: number): boolean {
  if (size === 3) return code < 0x800 || (code >= 0xd800 && code <= 0xdfff);
  return size === 4 && (code < 0x10000 || code > 0x10ffff);
}

/** White space counts; control characters, private use and noncharacters (Unicode §23) do not. */
function isPrintable(code: number): boolean {
  if (code < 0x20) return code === 0x09 || code === 0x0a || code === 0x0d;
  if (code >= 0x7f && code < 0xa0) return false;
  return !(code >= 0xe000 && code <= 0xf8ff) && code < 0xf0000 && (code & 0xfffe) !== 0xfffe;
}
