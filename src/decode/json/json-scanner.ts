import * as alphabet from "../base64/base64-alphabet.ts";
import * as plain from "../base64/base64-plain.ts";
import { type Base64Found, Base64Scan, base64Of } from "../base64/base64-scan.ts";
import { CONTENT_LEAVES, LEAF } from "../content/content-leaf.ts";
import * as grammar from "./json-grammar.ts";
import { OuterLevels } from "./json-nesting.ts";
import * as text from "./string-text.ts";

// Names of this module's own: V8 knows their values in the hot loop, while it loads imported ones at each use (measured, Node 20:
// 1.5 times the speed).
const { ACTION, CLASS, ESCAPED, HEX, LITERALS, LITERAL_FROM, LITERAL_TO, NO_HEX, WHITESPACE } = grammar;
const { beginText, beginLiteral, beginNumber, close, colon, comma, openArray, openKey, openObject, openString } = grammar.ACT;
const { top, topWord, topValue, firstItem, afterItem, firstKey, afterKey, member, afterMember, keyText, keyEscape } =
  grammar.STATE;
const { keyHex, stringText, stringEscape, stringHex, literal, minus, zero, integer, point } = grammar.STATE;
const { fraction, exponentMark, exponentSign, exponent } = grammar.STATE;
const { FEWEST_BASE64, IS_TEXT, isOtherBase64, mayBeBase64, textEnd } = text;
const { PAD, PAIR, wideEnd } = alphabet;
const { OTHER_OCTETS, plainBase64 } = plain;

/** Levels of nesting that are followed: limit-json-depth. */
const MAX_DEPTH = 10_000;
/** A run of text that is longer than this goes on in a call of its own. */
const NEAR = 64;

const SPACE = 0x20;
const QUOTE = 0x22;
const PLUS = 0x2b;
const COMMA = 0x2c;
const MINUS = 0x2d;
const POINT = 0x2e;
/** Digits are those octets that an XOR with it makes less than 10. */
const ZERO = 0x30;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const LOWER_E = 0x65;
const LOWER_U = 0x75;
const FOUR_SPACES = 0x20202020;

/** Why `read` came back: all is read, or what the next octet is. */
export const STOP = {
  no: 0,
  /** No valid JSON text goes on with it. */
  broken: 1,
  /** It begins a JSON text, which `beginText` lets it do. */
  text: 2,
  /** It opens a level too many. */
  tooDeep: 3,
} as const;

/**
 * The hot loop: reads JSON texts and adds up what their octets are, by leaf. Builds nothing, resumes at any octet and comes back
 * where there is something to tell.
 */
export class JsonScanner {
  /** Octets by leaf since the owner set them to 0; what turned out to be base64 is still among `json.string.text`. */
  readonly counts = new Float64Array(CONTENT_LEAVES.length);
  /**
   * Octets of `json.string.text` that are base64 text, since the owner set them to 0: those that its content needs, and the
   * others.
   */
  data = 0;
  inflation = 0;
  /** The latest string that is base64, until the owner sets it to null. */
  found: Base64Found | null = null;
  /** Why `read` came back: a value of STOP. */
  stop: number = STOP.no;
  #state: number = top;
  /** The state after a value. */
  #after: number = top;
  #depth = 0;
  /** The kinds of the innermost levels, the innermost in bit 0: 1 is an object. */
  #kinds = 0;
  readonly #outer = new OuterLevels();
  /** Octets of the open string so far, without its quote. */
  #stringOctets = 0;
  /** The open string is a value, not whole in one `read`, and may be base64. */
  #mayBe = false;
  readonly #base64 = new Base64Scan();
  readonly #seen: alphabet.Seen = { classes: 0 };
  /** Of an open `\u` escape: digits to come, and the number so far. */
  #hexLeft = 0;
  #hex = 0;
  /** The rest of the open literal name in LITERALS. */
  #literalAt = 0;
  #literalTo = 0;

  /** A new body begins. */
  begin(): void {
    this.#state = top;
    this.#after = top;
    this.#depth = 0;
    this.#stringOctets = 0;
    this.#mayBe = false;
  }

  /** The octet that `read` stopped at begins a JSON text. */
  beginText(): void {
    this.#state = topValue;
  }

  /** Nothing follows: a number at the top is complete if it can be. */
  end(): void {
    const isComplete = this.#state === zero || this.#state === integer || this.#state === fraction || this.#state === exponent;
    if (isComplete && this.#after === top) this.#state = topWord;
  }

  /** A JSON text is open. */
  get inText(): boolean {
    return this.#state > topWord;
  }

  /** A string is open and its next octet is no part of an escape sequence: `key` or `value`, else null. */
  get string(): "key" | "value" | null {
    return this.#state === keyText ? "key" : this.#state === stringText ? "value" : null;
  }

  /** Octets of the open key or string, without its quote; 0 when none is open. */
  get stringOctets(): number {
    return this.#stringOctets;
  }

  /** Levels that are open. */
  get depth(): number {
    return this.#depth;
  }

  /**
   * Read `bytes[from, to)`, as far as there is nothing to tell. One long function, so that no token costs a
   * call: first the octets between tokens, by table; then, as they come or go on, keys and strings, escape sequences, numbers,
   * literals.
   * @param view of the same octets as `bytes`.
   * @returns where it stopped; `stop` says why.
   */
  read(bytes: Uint8Array, view: DataView, from: number, to: number): number {
    const base64 = this.#base64;
    const lastFour = to - 4;
    const lastSixteen = to - 16;
    let at = from;
    let stop: number = STOP.no;
    let state = this.#state;
    let after = this.#after;
    let depth = this.#depth;
    let kinds = this.#kinds;
    let stringFrom = from - this.#stringOctets;
    let mayBe = this.#mayBe;
    let hexLeft = this.#hexLeft;
    let hex = this.#hex;
    let literalAt = this.#literalAt;
    let literalTo = this.#literalTo;
    let punctuation = 0;
    let whitespace = 0;
    let numbers = 0;
    let literals = 0;
    let keyQuotes = 0;
    let keyTexts = 0;
    let keyEscapes = 0;
    let stringQuotes = 0;
    let stringTexts = 0;
    let stringEscapes = 0;

    while (at < to) {
      if (state < keyText) {
        let octetClass = CLASS[bytes[at] as number] as number;
        if (octetClass === WHITESPACE) {
          const start = at++;
          while (at <= lastFour && view.getInt32(at, true) === FOUR_SPACES) at += 4;
          while (at < to && CLASS[bytes[at] as number] === WHITESPACE) at++;
          whitespace += at - start;
          if (state === topWord) state = top;
          if (at === to) break;
          octetClass = CLASS[bytes[at] as number] as number;
        }
        const action = ACTION[(state << 4) | octetClass] as number;
        if (action === openKey) {
          keyQuotes++;
          at++;
          stringFrom = at;
          state = keyText;
        } else if (action === openString) {
          stringQuotes++;
          at++;
          stringFrom = at;
          state = stringText;
        } else if (action === comma) {
          punctuation++;
          at++;
          state = after - 1;
          continue;
        } else if (action === colon) {
          punctuation++;
          at++;
          state = member;
          continue;
        } else if (action === beginNumber) {
          const octet = bytes[at] as number;
          numbers++;
          at++;
          state = octet === MINUS ? minus : octet === ZERO ? zero : integer;
        } else if (action === close) {
          punctuation++;
          at++;
          depth--;
          kinds = (depth & 31) === 0 ? this.#outer.restore(depth) : kinds >>> 1;
          after = depth === 0 ? top : (kinds & 1) === 0 ? afterItem : afterMember;
          state = after;
          continue;
        } else if (action === openObject || action === openArray) {
          if (depth === MAX_DEPTH) {
            stop = STOP.tooDeep;
            break;
          }
          if ((depth & 31) === 0) this.#outer.save(depth, kinds);
          punctuation++;
          at++;
          depth++;
          const isObject = action === openObject;
          kinds = (kinds << 1) | (isObject ? 1 : 0);
          after = isObject ? afterMember : afterItem;
          state = isObject ? firstKey : firstItem;
          continue;
        } else if (action === beginLiteral) {
          const octet = bytes[at] as number;
          literalAt = LITERAL_FROM[octet] as number;
          literalTo = LITERAL_TO[octet] as number;
          state = literal;
        } else {
          stop = action === beginText ? STOP.text : STOP.broken;
          break;
        }
      }

      if (state === keyText || state === stringText) {
        const start = at;
        const isNew = start === stringFrom;
        // When a `read` ends with its opening quote it was new there, too.
        if (isNew) mayBe = false;
        if (isNew && state === stringText && start <= lastSixteen) {
          // The next sixteen octets, whether the string has so many or not: symbols of base64, or mostly not.
          let four = view.getInt32(start, true);
          let next = view.getInt32(start + 4, true);
          let classes = PAIR[four & 0xffff]! | PAIR[four >>> 16]! | PAIR[next & 0xffff]! | PAIR[next >>> 16]!;
          if (classes < PAD) {
            four = view.getInt32(start + 8, true);
            next = view.getInt32(start + 12, true);
            classes |= PAIR[four & 0xffff]! | PAIR[four >>> 16]! | PAIR[next & 0xffff]! | PAIR[next >>> 16]!;
            if (classes < PAD) {
              at = this.#symbols(bytes, view, start, to, classes);
              stringTexts += at - start;
              if (at < to && bytes[at] === QUOTE) {
                stringQuotes++;
                at++;
                state = after;
                if (after !== top && at < to && bytes[at] === COMMA) {
                  punctuation++;
                  at++;
                  state = after - 1;
                }
              } else mayBe = base64.alive;
              continue;
            }
          }
        }
        const near = to - at > NEAR ? at + NEAR : to;
        // As textEnd does it, which says how; not as a call (measured, Node 20: that is
        // 3 % slower, and a quarter in 2 of 5 runs).
        let ends = 0;
        for (const last = near - 8; at <= last; at += 8) {
          let four = view.getInt32(at, true);
          let low = four ^ 0x02020202;
          let slash = four ^ 0x5c5c5c5c;
          ends = (((low - 0x21212121) & ~low) | ((slash - 0x01010101) & ~slash)) & 0x80808080;
          if (ends !== 0) break;
          four = view.getInt32(at + 4, true);
          low = four ^ 0x02020202;
          slash = four ^ 0x5c5c5c5c;
          ends = (((low - 0x21212121) & ~low) | ((slash - 0x01010101) & ~slash)) & 0x80808080;
          if (ends !== 0) {
            at += 4;
            break;
          }
        }
        if (ends !== 0) at += (31 - Math.clz32(ends & -ends)) >>> 3;
        else while (at < near && IS_TEXT[bytes[at] as number] === 1) at++;
        const isLong = at === near && at < to;
        if (state === keyText) {
          if (isLong) at = textEnd(bytes, view, at, to);
          keyTexts += at - start;
          if (at === to) break;
          if (bytes[at] === QUOTE) {
            keyQuotes++;
            at++;
            state = afterKey;
            // What mostly follows, without the way through the tables.
            if (at < to && bytes[at] === SPACE) {
              whitespace++;
              at++;
            }
            if (at < to && bytes[at] === COLON) {
              punctuation++;
              at++;
              state = member;
              if (at < to && bytes[at] === SPACE) {
                whitespace++;
                at++;
              }
              if (at < to && bytes[at] === QUOTE) {
                stringQuotes++;
                at++;
                stringFrom = at;
                state = stringText;
              }
            }
            continue;
          }
        } else {
          if (isLong) {
            if (isNew ? isOtherBase64(bytes, start, near) : mayBe) {
              if (isNew) base64.begin();
              at = this.#longText(bytes, view, start, near, to);
              mayBe = base64.alive;
            } else at = textEnd(bytes, view, near, to);
          } else if (isNew) {
            if (at < to && bytes[at] === QUOTE) {
              if (at - start >= FEWEST_BASE64 && isOtherBase64(bytes, start, at)) this.#take(base64Of(bytes, start, at));
            } else if (mayBeBase64(bytes, start, at)) {
              base64.begin();
              base64.push(bytes, start, at);
              mayBe = base64.alive;
            }
          } else if (mayBe) {
            base64.push(bytes, start, at);
            mayBe = base64.alive;
          }
          stringTexts += at - start;
          if (at === to) break;
          if (bytes[at] === QUOTE) {
            if (mayBe) {
              mayBe = false;
              if (at - stringFrom >= FEWEST_BASE64) this.#take(base64.end());
            }
            stringQuotes++;
            at++;
            state = after;
            if (after !== top && at < to && bytes[at] === COMMA) {
              punctuation++;
              at++;
              state = after - 1;
              if (at < to && bytes[at] === QUOTE) {
                at++;
                stringFrom = at;
                if (after === afterMember) {
                  keyQuotes++;
                  state = keyText;
                } else {
                  stringQuotes++;
                  state = stringText;
                }
              }
            }
            continue;
          }
        }
        if (bytes[at] !== BACKSLASH) {
          stop = STOP.broken;
          break;
        }
      }

      if (state <= stringHex) {
        // Escape sequences, one after the other.
        const inKey = state < stringText;
        const start = at;
        for (;;) {
          if (state === keyText || state === stringText) {
            if (bytes[at] !== BACKSLASH) break;
            at++;
            state++;
            if (at === to) break;
          }
          if (state === keyEscape || state === stringEscape) {
            const octet = bytes[at] as number;
            const meaning = ESCAPED[octet] as number;
            if (octet === LOWER_U) {
              hexLeft = 4;
              hex = 0;
              at++;
              state++;
            } else if (meaning !== 0) {
              at++;
              state--;
              if (mayBe) {
                base64.escape(meaning);
                mayBe = base64.alive;
              }
            } else {
              stop = STOP.broken;
              break;
            }
          }
          if (state === keyHex || state === stringHex) {
            for (; hexLeft > 0 && at < to; hexLeft--) {
              const digit = HEX[bytes[at] as number] as number;
              if (digit === NO_HEX) {
                stop = STOP.broken;
                break;
              }
              hex = (hex << 4) | digit;
              at++;
            }
            if (hexLeft > 0) break;
            state -= 2;
            if (mayBe) {
              base64.escape(hex < 0x80 ? hex : -1);
              mayBe = base64.alive;
            }
          }
          if (at === to) break;
        }
        if (inKey) keyEscapes += at - start;
        else stringEscapes += at - start;
        if (stop !== STOP.no) break;
      } else if (state >= minus) {
        const start = at;
        if (state === minus && at < to) {
          const octet = bytes[at] as number;
          if ((octet ^ ZERO) >= 10) {
            stop = STOP.broken;
            break;
          }
          state = octet === ZERO ? zero : integer;
          at++;
        }
        if (state === integer) while (at < to && ((bytes[at] as number) ^ ZERO) < 10) at++;
        if (state <= integer && at < to && bytes[at] === POINT) {
          state = point;
          at++;
        }
        if (state === point && at < to && ((bytes[at] as number) ^ ZERO) < 10) state = fraction;
        if (state === fraction) while (at < to && ((bytes[at] as number) ^ ZERO) < 10) at++;
        if ((state <= integer || state === fraction) && at < to && ((bytes[at] as number) | 0x20) === LOWER_E) {
          state = exponentMark;
          at++;
        }
        if (state === exponentMark && at < to && (bytes[at] === PLUS || bytes[at] === MINUS)) {
          state = exponentSign;
          at++;
        }
        if ((state === exponentMark || state === exponentSign) && at < to && ((bytes[at] as number) ^ ZERO) < 10)
          state = exponent;
        if (state === exponent) while (at < to && ((bytes[at] as number) ^ ZERO) < 10) at++;
        numbers += at - start;
        if (at === to) break;
        if (state === point || state === exponentMark || state === exponentSign) {
          stop = STOP.broken;
          break;
        }
        state = after;
        if (after === top) state = topWord;
        else if (bytes[at] === COMMA) {
          punctuation++;
          at++;
          state = after - 1;
        }
      } else {
        const start = at;
        while (at < to && literalAt < literalTo && bytes[at] === LITERALS[literalAt]) {
          at++;
          literalAt++;
        }
        literals += at - start;
        if (literalAt === literalTo) state = after === top ? topWord : after;
        else if (at < to) {
          stop = STOP.broken;
          break;
        }
      }
    }

    this.stop = stop;
    this.#state = state;
    this.#after = after;
    this.#depth = depth;
    this.#kinds = kinds;
    this.#stringOctets = state >= keyText && state <= stringHex ? at - stringFrom : 0;
    this.#mayBe = mayBe;
    this.#hexLeft = hexLeft;
    this.#hex = hex;
    this.#literalAt = literalAt;
    this.#literalTo = literalTo;
    this.#add(LEAF["json.punctuation"], punctuation);
    this.#add(LEAF["json.whitespace"], whitespace);
    this.#add(LEAF["json.number"], numbers);
    this.#add(LEAF["json.literal"], literals);
    this.#add(LEAF["json.key.quote"], keyQuotes);
    this.#add(LEAF["json.key.text"], keyTexts);
    this.#add(LEAF["json.key.escape"], keyEscapes);
    this.#add(LEAF["json.string.quote"], stringQuotes);
    this.#add(LEAF["json.string.text"], stringTexts);
    this.#add(LEAF["json.string.escape"], stringEscapes);
    return at;
  }

  /**
   * The text of a string from its begin on, of which sixteen octets are symbols of base64, whose classes together are `classes`. Returns its
   * end, and has told what it is if that is a quote.
   */
  #symbols(bytes: Uint8Array, view: DataView, start: number, to: number, classes: number): number {
    const seen = this.#seen;
    seen.classes = classes;
    const symbolsTo = wideEnd(view, start + FEWEST_BASE64, to, PAD, seen);
    const end = textEnd(bytes, view, symbolsTo, to);
    if (end < to && bytes[end] === QUOTE) {
      const decoded = plainBase64(bytes, view, start, end, symbolsTo, seen.classes);
      if (decoded > 0) this.#add64(decoded, end - start);
      else if (decoded === OTHER_OCTETS && isOtherBase64(bytes, start, end)) this.#take(base64Of(bytes, start, end));
    } else {
      this.#base64.begin();
      this.#base64.pushSymbols(bytes, start, symbolsTo, seen.classes);
      this.#base64.push(bytes, symbolsTo, end);
    }
    return end;
  }

  /** A long run of text from `start` on, of which `[start, near)` is known, in a string that may be base64; returns its end. */
  #longText(bytes: Uint8Array, view: DataView, start: number, near: number, to: number): number {
    const taken = this.#base64.pushAlphabet(bytes, start, to);
    const end = textEnd(bytes, view, Math.max(taken, near), to);
    if (this.#base64.alive) this.#base64.push(bytes, taken, end);
    return end;
  }

  #take(found: Base64Found | null): void {
    if (found === null) return;
    this.#add64(found.decoded, found.text);
    this.found = found;
  }

  #add64(decoded: number, text: number): void {
    // Escaped symbols decode to octets, too, but stay escapes: then more is decoded than text stands there.
    const data = Math.min(decoded, text);
    this.data += data;
    this.inflation += text - data;
  }

  #add(leaf: number, octets: number): void {
    this.counts[leaf] = (this.counts[leaf] ?? 0) + octets;
  }
}
