import * as alphabet from "./base64-alphabet.ts";
import { isEvident, isJoseHeader, SAMPLE_SYMBOLS } from "./base64-evidence.ts";
import { Base64Lines } from "./base64-lines.ts";

export { alphabetEnd } from "./base64-alphabet.ts";

// Names of this module's own, as in base64-alphabet.ts.
const { CLASS, PAD, STANDARD, URL_SAFE, decodedOctets, isLegalLength, runEnd } = alphabet;

/** A string that stands for base64. Octets of text are those that stand unescaped: an escape sequence is never counted. */
export interface Base64Found {
  /** Unescaped octets of base64 text, padding included; without lead-in, dots, line breaks and escapes. */
  readonly text: number;
  /** Octets that the text decodes to, escaped symbols included. */
  readonly decoded: number;
  /** Where the text stands, in unescaped octets of the string: skip a lead-in or dots, then so many octets of text. A JWT has up to 3. */
  readonly runs: readonly (readonly [skip: number, octets: number])[];
  /** A JWT (RFC 7519): whoever has it may be let in. */
  readonly secret: boolean;
}

/** Shorter strings need more evidence than their octets can give. */
const FEWEST_OCTETS = 16;
/** Media types have no length limit; the longest registered ones with parameters stay far below. */
const LEAD_IN_MOST = 256;

/** What the string is read as so far. */
const PLAIN = 0;
/** Between `data:` and `,` (RFC 2397). */
const LEAD_IN = 1;
const DATA_URI = 2;
/** After the first dot of `header.payload.signature` (RFC 7515 §7.1). */
const JWT = 3;
const JWT_SEGMENTS = 3;

const BOTH = STANDARD | URL_SAFE;
const SCHEME = "data";
const LEAD_IN_TAIL = ";base64";

const DOT = 0x2e;
const COLON = 0x3a;
const COMMA = 0x2c;
const EQUALS = 0x3d;
const CR = 0x0d;
const LF = 0x0a;

/**
 * Tells whether the text of a string is base64: RFC 4648 §4 or §5, padded or not, in lines (RFC 2045 §6.8), behind a data: URI's lead-in, or
 * a JWT. Any four letters decode, so legal text alone is not enough: see `isEvident`. Holds the first 128 symbols and counters, whatever the
 * length of the string, and allocates only what it finds. Never throws.
 *
 *     scan.begin();
 *     scan.push(bytes, from, to);
 *     scan.escape(0x2f); // the string goes on with "\/"
 *     const found = scan.end();
 */
export class Base64Scan {
  readonly #sample = new Uint8Array(SAMPLE_SYMBOLS);
  readonly #sampleView = new DataView(this.#sample.buffer);
  readonly #seen: alphabet.Seen = { classes: 0 };
  readonly #lines = new Base64Lines();
  /** By run: a string that is no JWT has one. */
  readonly #skips: number[] = [0, 0, 0];
  readonly #texts: number[] = [0, 0, 0];
  #alive = false;
  #form = PLAIN;
  #held = 0;
  #classes = 0;
  #run = 0;
  /** Of the run: symbols and padding, escaped or not. */
  #symbols = 0;
  #pads = 0;
  #last = 0;
  /** Of the runs before it. */
  #decodedBefore = 0;
  #leadIn = 0;
  #tail = 0;

  /** False once the string can't be base64 any more: no need to push the rest of it. */
  get alive(): boolean {
    return this.#alive;
  }

  /** A new string begins. */
  begin(): void {
    this.#alive = true;
    this.#form = PLAIN;
    this.#run = 0;
    this.#decodedBefore = 0;
    this.#leadIn = 0;
    this.#tail = 0;
    this.#skips[0] = 0;
    this.#startText();
  }

  /** The next octets of its text, `bytes[from, to)`, as they stand there. */
  push(bytes: Uint8Array, from: number, to: number): void {
    let at = from;
    while (at < to && this.#alive) {
      const next = this.#form === LEAD_IN ? at : this.#takeRun(bytes, at, to);
      if (next === at) this.#takeOther(bytes[at++] ?? 0, 1);
      else at = next;
    }
  }

  /**
   * As `alphabetEnd` and `push` at once, in one pass: takes what comes before the first octet that is of no alphabet nor `=`.
   * @returns its position, or `to`; a position before that when the string can't be base64 any more, and `from` inside the lead-in of a
   * data: URI, which only `push` takes.
   */
  pushAlphabet(bytes: Uint8Array, from: number, to: number): number {
    let at = from;
    while (at < to && this.#alive && this.#form !== LEAD_IN) {
      const next = this.#takeRun(bytes, at, to);
      if (next !== at) at = next;
      else if (bytes[at] === EQUALS) this.#takeOther(bytes[at++] ?? 0, 1);
      else break;
    }
    return at;
  }

  /** As `push`, of the first octets of the string, when it is known that all are symbols, and their `classes`. */
  pushSymbols(bytes: Uint8Array, from: number, to: number, classes: number): void {
    const count = to - from;
    this.#held = Math.min(count, SAMPLE_SYMBOLS);
    for (let at = 0; at < this.#held; at++) this.#sample[at] = bytes[from + at]!;
    this.#texts[0] = count;
    this.#takeSymbols(count, classes, bytes[to - 1] ?? 0);
  }

  /** The string goes on with an escape sequence that stands for `octet`; -1 for one that stands for no single octet. */
  escape(octet: number): void {
    if (!this.#alive) return;
    if (octet < 0) this.#alive = false;
    else if (this.#form === LEAD_IN) this.#takeOther(octet, 0);
    else if (octet === CR || octet === LF)
      this.#alive = this.#form !== JWT && this.#lines.break(octet, this.#symbols + this.#pads);
    else if ((CLASS[octet] ?? PAD) < PAD) this.#takeEscaped(octet);
    else this.#takeOther(octet, 0);
  }

  /** The string is over. */
  end(): Base64Found | null {
    if (!this.#alive || this.#form === LEAD_IN || !isLegalLength(this.#symbols, this.#pads, this.#last)) return null;
    const octets = this.#symbols + this.#pads;
    if (!this.#lines.mayEnd(octets)) return null;
    if (this.#form === JWT) return this.#run === JWT_SEGMENTS - 1 ? this.#found(true) : null;
    if (this.#form === DATA_URI) return octets > 0 ? this.#found(false) : null;
    if (octets < FEWEST_OCTETS) return null;
    const isFound = isEvident(this.#sample, this.#sampleView, 0, this.#held, octets, this.#symbols, this.#classes);
    return isFound ? this.#found(false) : null;
  }

  /** Symbols from `from` on; returns where they end. */
  #takeRun(bytes: Uint8Array, from: number, to: number): number {
    if ((CLASS[bytes[from] ?? 0] ?? 0) >= PAD) return from;
    let at = from;
    let classes = 0;
    // The header of a JWT is its evidence; the other segments need none.
    if (this.#run === 0 && this.#held < SAMPLE_SYMBOLS) {
      const sample = this.#sample;
      let held = this.#held;
      const sampled = Math.min(to, from + SAMPLE_SYMBOLS - held);
      for (; at < sampled; at++) {
        const octet = bytes[at]!;
        const octetClass = CLASS[octet]!;
        if (octetClass >= PAD) break;
        classes |= octetClass;
        sample[held++] = octet;
      }
      this.#held = held;
    }
    if (at < to) {
      at = runEnd(bytes, at, to, PAD, this.#seen);
      classes |= this.#seen.classes;
    }
    this.#texts[this.#run] = (this.#texts[this.#run] ?? 0) + at - from;
    this.#takeSymbols(at - from, classes, bytes[at - 1] ?? 0);
    return at;
  }

  #takeEscaped(symbol: number): void {
    if (this.#run === 0 && this.#held < SAMPLE_SYMBOLS) this.#sample[this.#held++] = symbol;
    this.#takeSymbols(1, CLASS[symbol] ?? 0, symbol);
  }

  #takeSymbols(count: number, classes: number, last: number): void {
    const fits = this.#pads === 0 && this.#lines.allows(this.#symbols);
    this.#symbols += count;
    this.#last = last;
    this.#classes |= classes;
    const mixed = this.#form === JWT ? (this.#classes & STANDARD) !== 0 : (this.#classes & BOTH) === BOTH;
    if (mixed || !fits) this.#alive = false;
  }

  /** An octet that is no symbol, or any of a lead-in. @param unescaped 1 when it stands there as itself, else 0. */
  #takeOther(octet: number, unescaped: 0 | 1): void {
    if (this.#form === LEAD_IN) this.#takeLeadIn(octet, unescaped);
    else if (octet === EQUALS) this.#takePad(unescaped);
    else if (octet === DOT) this.#takeDot(unescaped);
    else if (octet === COLON) this.#takeColon(unescaped);
    else this.#alive = false;
  }

  #takePad(unescaped: 0 | 1): void {
    // RFC 7515 §2: base64url in a JWT has no padding.
    if (this.#pads === 2 || this.#form === JWT || !this.#lines.allows(this.#symbols + this.#pads)) this.#alive = false;
    this.#pads++;
    this.#texts[this.#run] = (this.#texts[this.#run] ?? 0) + unescaped;
  }

  #takeDot(unescaped: 0 | 1): void {
    const isHeader = this.#form === PLAIN && this.#pads === 0 && !this.#lines.any && (this.#classes & STANDARD) === 0;
    if (!isLegalLength(this.#symbols, this.#pads, this.#last) || this.#run === JWT_SEGMENTS - 1) this.#alive = false;
    else if (this.#form === JWT || (isHeader && isJoseHeader(this.#sample, this.#held, this.#symbols))) {
      this.#form = JWT;
      this.#decodedBefore += decodedOctets(this.#symbols);
      this.#run++;
      this.#skips[this.#run] = unescaped;
      this.#startRun();
    } else this.#alive = false;
  }

  #takeColon(unescaped: 0 | 1): void {
    const isScheme = this.#form === PLAIN && this.#symbols === SCHEME.length && this.#held === SCHEME.length && this.#pads === 0;
    if (!isScheme || this.#lines.any || !isSchemeData(this.#sample)) this.#alive = false;
    else {
      this.#form = LEAD_IN;
      this.#skips[0] = (this.#texts[0] ?? 0) + unescaped;
    }
  }

  #takeLeadIn(octet: number, unescaped: 0 | 1): void {
    this.#skips[0] = (this.#skips[0] ?? 0) + unescaped;
    if (octet === COMMA && this.#tail === LEAD_IN_TAIL.length) {
      this.#form = DATA_URI;
      this.#startText();
      return;
    }
    // RFC 2397 §3: a URI has no white space, no control octets and nothing beyond ASCII.
    if (octet === COMMA || octet <= 0x20 || octet >= 0x7f || ++this.#leadIn > LEAD_IN_MOST) this.#alive = false;
    const lower = octet >= 0x41 && octet <= 0x5a ? octet | 0x20 : octet;
    if (lower === LEAD_IN_TAIL.charCodeAt(this.#tail)) this.#tail++;
    else this.#tail = lower === LEAD_IN_TAIL.charCodeAt(0) ? 1 : 0;
  }

  #found(secret: boolean): Base64Found {
    const runs: [number, number][] = [];
    let text = 0;
    let skip = 0;
    for (let run = 0; run <= this.#run; run++) {
      const octets = this.#texts[run] ?? 0;
      skip += this.#skips[run] ?? 0;
      if (octets === 0) continue;
      runs.push([skip, octets]);
      text += octets;
      skip = 0;
    }
    return { text, decoded: this.#decodedBefore + decodedOctets(this.#symbols), runs, secret };
  }

  /** What comes now is base64 text, if anything. */
  #startText(): void {
    this.#held = 0;
    this.#classes = 0;
    this.#lines.begin();
    this.#startRun();
  }

  #startRun(): void {
    this.#symbols = 0;
    this.#pads = 0;
    this.#texts[this.#run] = 0;
  }
}

/** The whole text of a string at once, without escapes in it: as `begin`, `push` and `end`, and faster. */
export function base64Of(bytes: Uint8Array, from: number, to: number): Base64Found | null {
  const end = runEnd(bytes, from, to, PAD, seenByAll);
  const classes = seenByAll.classes;
  let at = end;
  while (at < to && bytes[at] === EQUALS) at++;
  if (at < to) {
    const octet = bytes[at];
    const mayBeOther = octet === DOT || (octet === COLON && end === from + SCHEME.length);
    if (!mayBeOther || at > end) return null;
    whole.begin();
    whole.push(bytes, from, to);
    return whole.end();
  }
  if (to - from < FEWEST_OCTETS || (classes & BOTH) === BOTH || !isLegalLength(end - from, to - end, bytes[end - 1] ?? 0))
    return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!isEvident(bytes, view, from, Math.min(end, from + SAMPLE_SYMBOLS), to - from, end - from, classes)) return null;
  return { text: to - from, decoded: decodedOctets(end - from), runs: [[0, to - from]], secret: false };
}

const whole = new Base64Scan();
const seenByAll: alphabet.Seen = { classes: 0 };

function isSchemeData(sample: Uint8Array): boolean {
  // RFC 3986 §3.1: schemes are case-insensitive.
  for (let at = 0; at < SCHEME.length; at++) if (((sample[at] ?? 0) | 0x20) !== SCHEME.charCodeAt(at)) return false;
  return true;
}
