import { CODE_LENGTHS, CODES, EOS } from "./huffman-code.ts";

/** What {@link huffmanDecode} returns instead of a length. */
export const HUFFMAN_ERROR = { eos: -1, longPadding: -2, badPadding: -3 } as const;

/**
 * Decode the Huffman string `bytes[from, to)` into `out` (RFC 7541 §5.2).
 * @param out needs {@link maxDecodedLength} octets of room.
 * @returns octets written, or a negative {@link HUFFMAN_ERROR}.
 */
export function huffmanDecode(bytes: Uint8Array, from: number, to: number, out: Uint8Array): number {
  tables ??= buildTables();
  const { steps, paddings } = tables;
  let state = 0;
  let length = 0;
  for (let at = from; at < to; at++) {
    const step = steps[(state << 8) | (bytes[at] as number)] as number;
    if (step < 0) return HUFFMAN_ERROR.eos;
    // Both symbols are stored always and only the count moves the end: cheaper than a branch.
    out[length] = step >>> 8;
    out[length + 1] = step >>> 16;
    length += step >>> 24;
    state = step & 0xff;
  }
  const padding = paddings[state] as number;
  return padding === 0 ? length : padding;
}

/** Room that decoding `octets` Huffman octets may need: no code is shorter than 5 bits, and two octets are stored at a time. */
export function maxDecodedLength(octets: number): number {
  return Math.ceil((octets * 8) / 5) + 2;
}

/** Octets of an octet string when Huffman-coded. */
export function huffmanLength(text: string): number {
  let bits = 0;
  for (let at = 0; at < text.length; at++) bits += CODE_LENGTHS[text.charCodeAt(at) & 0xff] as number;
  return Math.ceil(bits / 8);
}

/** Huffman-code an octet string; the last octet is padded with ones, the first bits of EOS. */
export function huffmanEncode(text: string): Uint8Array {
  const out = new Uint8Array(huffmanLength(text));
  let at = 0;
  let free = 8;
  for (let index = 0; index < text.length; index++) {
    const symbol = text.charCodeAt(index) & 0xff;
    const code = CODES[symbol] as number;
    for (let left = CODE_LENGTHS[symbol] as number; left > 0; ) {
      const taken = Math.min(left, free);
      const bits = (code >>> (left - taken)) & ((1 << taken) - 1);
      out[at] = (out[at] as number) | (bits << (free - taken));
      left -= taken;
      free -= taken;
      if (free === 0) {
        at++;
        free = 8;
      }
    }
  }
  if (free < 8) out[at] = (out[at] as number) | ((1 << free) - 1);
  return out;
}

/**
 * steps[state << 8 | octet]: next state in bits 0-7, first and second symbol in bits 8-15 and 16-23, symbols completed (0 to 2) in
 * bits 24-25; negative where EOS was completed. A state is an inner node of the code tree: 257 leaves make 256 of them.
 * paddings[state]: 0 where a string may end, else the error.
 */
interface Tables {
  readonly steps: Int32Array;
  readonly paddings: Int8Array;
}
// Built at first use: a quarter of a mebibyte that a program without Huffman strings need not pay for.
let tables: Tables | undefined;

function buildTables(): Tables {
  const children = buildTree();
  const steps = new Int32Array(256 << 8);
  for (let state = 0; state < 256; state++) {
    for (let octet = 0; octet < 256; octet++) steps[(state << 8) | octet] = walkOctet(children, state, octet);
  }
  const paddings = new Int8Array(256).fill(HUFFMAN_ERROR.badPadding);
  paddings[0] = 0;
  let node = 0;
  for (let depth = 1; ; depth++) {
    node = children[node * 2 + 1] as number;
    if (node < 0) break;
    paddings[node] = depth <= 7 ? 0 : HUFFMAN_ERROR.longPadding;
  }
  return { steps, paddings };
}

/** Both children of each inner node: another node's number, or ~symbol for a leaf. */
function buildTree(): Int16Array {
  const children = new Int16Array(512);
  let nodes = 1;
  for (let symbol = 0; symbol < CODE_LENGTHS.length; symbol++) {
    let node = 0;
    for (let bit = (CODE_LENGTHS[symbol] as number) - 1; bit > 0; bit--) {
      const side = node * 2 + (((CODES[symbol] as number) >>> bit) & 1);
      if (children[side] === 0) children[side] = nodes++;
      node = children[side] as number;
    }
    children[node * 2 + ((CODES[symbol] as number) & 1)] = ~symbol;
  }
  return children;
}

function walkOctet(children: Int16Array, start: number, octet: number): number {
  let node = start;
  let symbols = 0;
  let count = 0;
  for (let bit = 7; bit >= 0; bit--) {
    const child = children[node * 2 + ((octet >>> bit) & 1)] as number;
    if (child === ~EOS) return -1;
    node = Math.max(child, 0);
    if (child < 0) symbols |= ~child << (8 + 8 * count++);
  }
  return node | symbols | (count << 24);
}
