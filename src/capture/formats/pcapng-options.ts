import { OPTION } from "./pcapng-registry.ts";

/** Told of an option: its value is `view[at, at + length)`. */
export type OptionVisitor = (code: number, at: number, length: number) => void;

/** Walk the options in `view[from, to)`, draft-ietf-opsawg-pcapng §3.5. A damaged list ends where it stops making sense. */
export function eachOption(view: DataView, from: number, to: number, littleEndian: boolean, visit: OptionVisitor): void {
  for (let at = from; at + 4 <= to; ) {
    const code = view.getUint16(at, littleEndian);
    const length = view.getUint16(at + 2, littleEndian);
    if (code === OPTION.end || at + 4 + length > to) return;
    visit(code, at + 4, length);
    at += 4 + padded(length);
  }
}

/** `octets` up to the next multiple of four. */
export function padded(octets: number): number {
  return Math.ceil(octets / 4) * 4;
}
