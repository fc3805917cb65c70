/** Octets that are whole printable characters: 0x20 … 0x7e, tab, line feed, carriage return. */
const PLAIN = Uint8Array.from({ length: 256 }, (_, octet) =>
  (octet >= 0x20 && octet < 0x7f) || octet === 0x09 || octet === 0x0a || octet === 0x0d ? 1 : 0,
);

/** Unicode Table 3-7 ("Well-Formed UTF-8 Byte Sequences") as states: what the next octet must be. */
const AFTER = {
  character: 0,
  /** One more of 80..BF, two more, three more. */
  one: 1,
  two: 2,
  three: 3,
  /** After C2: not 80..9F, those are the C1 controls. */
  c2: 4,
  /** After E0: A0..BF, else overlong. After ED: 80..9F, else a surrogate. */
  e0: 5,
  ed: 6,
  /** After F0: 90..BF, else overlong. After F4: 80..8F, else above U+10FFFF. */
  f0: 7,
  f4: 8,
} as const;
const BROKEN = 9;
const NEXT = transitions();

/**
 * Tells which stretches of a message are printable text: well-formed UTF-8 without controls but tab, line feed and carriage return.
 *
 * Stretches are asked for as the walk meets them, and nest. All share one scan that looks at no octet twice: it runs ahead of the walk to
 * the end of the outermost stretch, of the chunk, or to the first octet that breaks it. The length before a stretch ends with an octet
 * below 0x80, so none begins inside a character. Offsets count from the message's start; a chunk's index + `shift` is an offset.
 */
export class PrintableText {
  /** Octets [from, to) are printable so far; a character may be open at `to`. */
  #from = 0;
  #to = 0;
  /** The scan goes no further than this. */
  #limit = 0;
  /** The octet at `#to` breaks what is before it. */
  #broken = true;
  #state: number = AFTER.character;

  /** A new message begins. */
  begin(): void {
    this.#from = this.#to = this.#limit = 0;
    this.#broken = true;
  }

  /** A new chunk has come: go on with what is open. */
  resume(bytes: Uint8Array, from: number, to: number, shift: number): void {
    if (this.#broken || this.#to >= this.#limit) return;
    this.#scan(bytes, from, Math.min(to, this.#limit - shift), shift);
  }

  /** The stretch [start, end) begins; `start` is the walk's offset, `to` the chunk's end. */
  ask(bytes: Uint8Array, to: number, shift: number, start: number, end: number): void {
    if (start < this.#to || (start === this.#to && !this.#broken)) return;
    this.#from = start;
    this.#limit = end;
    this.#state = AFTER.character;
    this.#scan(bytes, start - shift, Math.min(to, end - shift), shift);
  }

  /** The walk is at the end of the stretch [start, end), which it has asked for: was all of it printable? */
  holds(bytes: Uint8Array, shift: number, start: number, end: number): boolean {
    // A later scan has begun inside: this one was broken before it.
    if (start < this.#from) return false;
    // The scan is ahead: does the next octet belong to a character that began inside?
    if (end < this.#to) return ((bytes[end - shift] as number) & 0xc0) !== 0x80;
    return end === this.#to && (this.#broken || this.#state === AFTER.character);
  }

  #scan(bytes: Uint8Array, from: number, to: number, shift: number): void {
    let state = this.#state;
    // Of the character at hand; of one that an earlier chunk began, the part in this chunk: all stretches that are open began before it.
    let character = from;
    for (let at = from; at < to; at++) {
      const octet = bytes[at] as number;
      if (state === AFTER.character) {
        if (PLAIN[octet] === 1) continue;
        character = at;
      }
      state = NEXT[(state << 8) | octet] as number;
      if (state === BROKEN) {
        this.#to = character + shift;
        this.#broken = true;
        return;
      }
    }
    this.#to = to + shift;
    this.#broken = false;
    this.#state = state;
  }
}

function transitions(): Uint8Array {
  const next = new Uint8Array(BROKEN << 8).fill(BROKEN);
  const allow = (state: number, from: number, to: number, then: number) =>
    next.fill(then, (state << 8) | from, ((state << 8) | to) + 1);
  for (let octet = 0; octet < 256; octet++) if (PLAIN[octet] === 1) allow(AFTER.character, octet, octet, AFTER.character);
  allow(AFTER.character, 0xc2, 0xc2, AFTER.c2);
  allow(AFTER.character, 0xc3, 0xdf, AFTER.one);
  allow(AFTER.character, 0xe0, 0xe0, AFTER.e0);
  allow(AFTER.character, 0xe1, 0xef, AFTER.two);
  allow(AFTER.character, 0xed, 0xed, AFTER.ed);
  allow(AFTER.character, 0xf0, 0xf0, AFTER.f0);
  allow(AFTER.character, 0xf1, 0xf3, AFTER.three);
  allow(AFTER.character, 0xf4, 0xf4, AFTER.f4);
  allow(AFTER.one, 0x80, 0xbf, AFTER.character);
  allow(AFTER.two, 0x80, 0xbf, AFTER.one);
  allow(AFTER.three, 0x80, 0xbf, AFTER.two);
  allow(AFTER.c2, 0xa0, 0xbf, AFTER.character);
  allow(AFTER.e0, 0xa0, 0xbf, AFTER.one);
  allow(AFTER.ed, 0x80, 0x9f, AFTER.one);
  allow(AFTER.f0, 0x90, 0xbf, AFTER.two);
  allow(AFTER.f4, 0x80, 0x8f, AFTER.two);
  return next;
}
