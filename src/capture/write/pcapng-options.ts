/** Option codes of draft-ietf-opsawg-pcapng: §3.5 (any block), §4.1 (section header), §4.2 (interface description). */
export const OPTION = { comment: 1, hardware: 2, os: 3, application: 4, ifName: 2, ifDescription: 3, ifTsresol: 9 } as const;

/** One option: code and value. */
export type Option = readonly [code: number, value: Uint8Array];

const OPTION_HEADER = 4;
const LONGEST_TEXT = 1024;
const encoder = new TextEncoder();

/**
 * A text as an option's value, UTF-8. Control characters are written out, as a reader may print it to a terminal; what is
 * longer than 1,024 characters is cut.
 */
export function textOption(code: number, text: string): Option {
  const cut = text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT - 1)}…` : text;
  return [code, encoder.encode(cut.replace(/\p{Cc}/gu, escapeControl))];
}

/** Octets of a list of options with its end mark; none for an empty list. */
export function optionsLength(options: readonly Option[]): number {
  if (options.length === 0) return 0;
  return options.reduce((octets, [, value]) => octets + OPTION_HEADER + padded(value.length), OPTION_HEADER);
}

/** Writes options with their end mark at `at` of a block whose other octets are zero. */
export function writeOptions(view: DataView, at: number, options: readonly Option[]): void {
  let to = at;
  for (const [code, value] of options) {
    view.setUint16(to, code, true);
    view.setUint16(to + 2, value.length, true);
    new Uint8Array(view.buffer, view.byteOffset).set(value, to + OPTION_HEADER);
    to += OPTION_HEADER + padded(value.length);
  }
}

/** Up to the next multiple of 4, as all parts of a block are. */
export function padded(octets: number): number {
  return (octets + 3) & ~3;
}

function escapeControl(character: string): string {
  return `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`;
}
