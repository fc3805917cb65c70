import stringWidth from "string-width";

const ASCII = /^[\x20-\x7e]*$/;

/** Terminal cells that `text` takes; escape sequences take none, CJK characters two. */
export function cells(text: string): number {
  return ASCII.test(text) ? text.length : stringWidth(text);
}

/** `text` filled with spaces up to `width` cells; longer text stays as it is. */
export function padTo(text: string, width: number): string {
  const missing = width - cells(text);
  return missing > 0 ? text + " ".repeat(missing) : text;
}

/** `right` in a column of its own, which begins at cell `column`, or two cells after a longer `left`. */
export function atColumn(left: string, column: number, right: string): string {
  return `${padTo(left, column - 2)}  ${right}`;
}

/** `1 octet`, `123 octets`. */
export function octetCount(octets: number): string {
  return octets === 1 ? "1 octet" : `${octets} octets`;
}
