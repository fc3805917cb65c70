const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * The text of an octet string (one UTF-16 unit per octet): decoded as UTF-8 when it is valid UTF-8, else each octet stays the
 * character of its number (ISO 8859-1). A text that is not an octet string is returned as it is. Nothing is escaped: views do that.
 */
export function textOf(octets: string): string {
  let ascii = true;
  for (let at = 0; at < octets.length; at++) {
    const unit = octets.charCodeAt(at);
    if (unit > 0xff) return octets;
    if (unit > 0x7f) ascii = false;
  }
  if (ascii) return octets;
  const bytes = Uint8Array.from(octets, (unit) => unit.charCodeAt(0));
  try {
    return UTF8.decode(bytes);
  } catch {
    return octets;
  }
}

/** {@link textOf}, with null staying null. */
export function textOrNull(octets: string | null): string | null {
  return octets === null ? null : textOf(octets);
}

/** At most the first `limit` units of a text, see {@link ownText}. */
export function cutText(text: string, limit: number): string {
  return ownText(text.length <= limit ? text : text.slice(0, limit));
}

/** Shorter texts are never slices: engines copy what is cheap to copy (V8: 12 units and less). */
const SHORTEST_SLICE = 13;
/** Longer texts do not come again and again. */
const LONGEST_SHARED = 96;
const TABLE_SIZE = 1024;
const table: string[] = Array<string>(TABLE_SIZE).fill("");

/**
 * The same text as a string of its own, to be kept: a slice would keep the whole text alive that it was cut from, and a script cannot
 * see which strings are slices. Texts that come again and again are shared, so that they cost no copy.
 */
export function ownText(text: string): string {
  if (text.length < SHORTEST_SLICE) return text;
  if (text.length > LONGEST_SHARED) return copyOf(text);
  const slot = slotOf(text);
  const known = table[slot];
  if (known === text) return known;
  const copy = copyOf(text);
  table[slot] = copy;
  return copy;
}

/** By its length and some of its units; the last ones differ most. */
function slotOf(text: string): number {
  let hash = text.length;
  for (let at = text.length - 1, step = 1; at >= 0; at -= step, step += 1) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0;
  return (hash ^ (hash >>> 15)) & (TABLE_SIZE - 1);
}

/** Units per call of fromCharCode: argument lists have an engine limit. */
const PIECE = 4096;

function copyOf(text: string): string {
  let copy = "";
  for (let from = 0; from < text.length; from += PIECE) {
    const units: number[] = [];
    for (let at = from; at < text.length && at < from + PIECE; at++) units.push(text.charCodeAt(at));
    copy += String.fromCharCode.apply(null, units);
  }
  return copy;
}
