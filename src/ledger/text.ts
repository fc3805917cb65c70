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

/** At most the first `limit` units of a text, as a string of its own: a slice would keep the whole text alive. */
export function cutText(text: string, limit: number): string {
  return text.length <= limit ? text : text.slice(0, limit).split("").join("");
}
