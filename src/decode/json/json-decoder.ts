import type { ContentDecoder } from "../content/content-decoder.ts";
import { CONTENT_LEAVES, LEAF } from "../content/content-leaf.ts";
import type { ContentNote } from "../content/content-note.ts";
import type { ContentSink } from "../content/content-sink.ts";
import { JsonOpening, OPENING } from "./json-opening.ts";
import { JsonParts } from "./json-parts.ts";
import { JsonScanner, STOP } from "./json-scanner.ts";
import { textEnd } from "./string-text.ts";

/** limit-json-string: octets of a string above which there is a note. Nothing of a string is held, whatever its length. */
const LONGEST_STRING = 16 * 1024 * 1024;

const QUOTE = 0x22;
const FIRST_TEXT_OCTET = 0x20;

/** Where in the body it stands. */
const PHASE = {
  /** A byte order mark or a guard may come. */
  opening: 0,
  /** An `f` was read, of `false` or of a guard. */
  eitherWay: 1,
  texts: 2,
  malformed: 3,
  tooDeep: 4,
} as const;

/**
 * Says what each octet of a JSON body is (RFC 8259): one pass, no values built, resumable at any octet. The first octet that no
 * valid text goes on with, and all that follow, are `json.malformed`; what came before keeps its category. Several texts in one
 * body are read one after the other. A string that turns out to be base64 is moved when it ends.
 */
export class JsonDecoder implements ContentDecoder {
  /** Several texts, one after the other, are meant (newline-delimited JSON): nothing is said of it. */
  lines = false;
  /** That it is JSON was only guessed: then nobody has broken a rule. */
  inferred = false;
  readonly #sink: ContentSink;
  readonly #base: number;
  readonly #scanner = new JsonScanner();
  readonly #opening = new JsonOpening();
  readonly #parts: JsonParts | null;
  #phase: number = PHASE.opening;
  /** Octets came. */
  #any = false;
  #textsBegun = 0;
  #severalTold = false;
  #longStringTold = false;

  /** @param base id of the root's first leaf: one of CONTENT_BASE. */
  constructor(sink: ContentSink, base: number) {
    this.#sink = sink;
    this.#base = base;
    this.#parts = sink.parts ? new JsonParts(sink, base) : null;
  }

  begin(): void {
    this.#scanner.begin();
    this.#opening.begin();
    this.#parts?.begin();
    this.#phase = PHASE.opening;
    this.#any = false;
    this.#textsBegun = 0;
    this.#severalTold = false;
    this.#longStringTold = false;
  }

  push(bytes: Uint8Array, from: number, to: number): void {
    if (from === to) return;
    this.#any = true;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (this.#parts === null) this.#read(bytes, view, from, to);
    else this.#readParts(this.#parts, bytes, view, from, to);
    this.#flush();
    this.#parts?.release();
  }

  end(cut: boolean): void {
    if (cut || this.#isOver) return;
    this.#scanner.end();
    if (this.#opening.unfinished > 0) this.#breakOpening();
    else if (this.#scanner.inText) this.#note("json-cut");
    else if (this.#any && this.#textsBegun === 0) this.#note("json-empty");
  }

  /** Complete JSON texts so far. A number at the top is complete when something else follows or the body ends. */
  get documents(): number {
    return this.#textsBegun - (this.#scanner.inText ? 1 : 0);
  }

  /** Some octet was malformed. */
  get malformed(): boolean {
    return this.#phase === PHASE.malformed;
  }

  /** A JSON text has begun that may still become complete. */
  get open(): boolean {
    return this.#scanner.inText && !this.#isOver;
  }

  /** Nothing more is decoded in this body. */
  get #isOver(): boolean {
    return this.#phase >= PHASE.malformed;
  }

  #read(bytes: Uint8Array, view: DataView, from: number, to: number): void {
    for (let at = from; at < to; ) {
      if (this.#phase <= PHASE.eitherWay) at = this.#readOpening(bytes, view, at);
      else if (this.#phase === PHASE.texts) at = this.#readTexts(bytes, view, at, to);
      else {
        this.#count(this.malformed ? LEAF["json.malformed"] : LEAF.undecoded, to - at);
        return;
      }
    }
  }

  /** Read in steps so small that each is of one leaf: single octets, but runs of text and what is not decoded at once. */
  #readParts(parts: JsonParts, bytes: Uint8Array, view: DataView, from: number, to: number): void {
    const scanner = this.#scanner;
    parts.at(bytes, from);
    for (let at = from; at < to; ) {
      let next = at + 1;
      if (this.#isOver) next = to;
      else if (scanner.string !== null) next = Math.max(next, textEnd(bytes, view, at, to));
      this.#read(bytes, view, at, next);
      this.#takeParts(parts);
      if (scanner.found !== null) parts.base64(scanner.found);
      scanner.found = null;
      scanner.data = 0;
      scanner.inflation = 0;
      at = next;
    }
  }

  /** One octet at the very start. */
  #readOpening(bytes: Uint8Array, view: DataView, at: number): number {
    switch (this.#opening.take(bytes[at] ?? 0)) {
      case OPENING.over:
        this.#phase = PHASE.texts;
        return at;
      case OPENING.eitherWay:
        this.#phase = PHASE.eitherWay;
        this.#textsBegun = 1;
        this.#scanner.beginText();
        this.#scanner.read(bytes, view, at, at + 1);
        return at + 1;
      case OPENING.broken:
        this.#breakOpening();
        return at;
      case OPENING.bomEnd:
        this.#note("json-bom");
        this.#count(LEAF["json.bom"], 1);
        return at + 1;
      case OPENING.bom:
        this.#count(LEAF["json.bom"], 1);
        return at + 1;
      case OPENING.prefixEnd:
        this.#note("json-prefix");
        break;
      default:
        if (this.#phase === PHASE.eitherWay) this.#takeBackLiteral();
    }
    this.#count(LEAF["json.prefix"], 1);
    return at + 1;
  }

  /** The `f` was no `false`. */
  #takeBackLiteral(): void {
    this.#flush();
    this.#move(LEAF["json.literal"], LEAF["json.prefix"], 1);
    this.#scanner.begin();
    this.#textsBegun = 0;
    this.#phase = PHASE.opening;
  }

  #breakOpening(): void {
    this.#note("json-malformed");
    const leaf = this.#opening.inBom ? LEAF["json.bom"] : LEAF["json.prefix"];
    this.#move(leaf, LEAF["json.malformed"], this.#opening.unfinished);
    this.#phase = PHASE.malformed;
  }

  #readTexts(bytes: Uint8Array, view: DataView, from: number, to: number): number {
    const scanner = this.#scanner;
    const at = scanner.read(bytes, view, from, this.#longStringTold ? to : this.#untilLongString(bytes, from, to));
    if (scanner.stop === STOP.broken) {
      this.#note("json-malformed");
      this.#phase = PHASE.malformed;
    } else if (scanner.stop === STOP.tooDeep) {
      this.#note("limit-json-depth");
      this.#phase = PHASE.tooDeep;
    } else if (scanner.stop === STOP.text) {
      if (this.#textsBegun > 0 && !this.#severalTold && !this.lines) {
        this.#severalTold = true;
        this.#note("json-several");
      }
      this.#textsBegun++;
      scanner.beginText();
    }
    return at;
  }

  /**
   * How far to read before a string can have passed the limit, so that the hot loop need not look. Tells when the next octet
   * passes it.
   */
  #untilLongString(bytes: Uint8Array, from: number, to: number): number {
    const left = LONGEST_STRING - this.#scanner.stringOctets;
    if (left > 0) return Math.min(to, from + left);
    const octet = bytes[from] ?? 0;
    if (octet < FIRST_TEXT_OCTET || (octet === QUOTE && this.#scanner.string !== null)) return from + 1;
    this.#longStringTold = true;
    this.#note("limit-json-string");
    return to;
  }

  #count(leaf: number, octets: number): void {
    const counts = this.#scanner.counts;
    counts[leaf] = (counts[leaf] ?? 0) + octets;
  }

  #note(note: ContentNote): void {
    this.#flush();
    const told = this.inferred ? (GUESSED[note] ?? null) : note;
    if (told !== null) this.#sink.contentNote(told);
  }

  /** Octets announced last, all of one leaf, are another one. */
  #move(from: number, to: number, octets: number): void {
    this.#sink.moved(this.#base + from, this.#base + to, octets, 0);
  }

  /** Announce everything that was counted. */
  #flush(): void {
    if (this.#parts === null) this.#flushCounts();
    else {
      this.#takeParts(this.#parts);
      this.#parts.flush();
    }
  }

  #takeParts(parts: JsonParts): void {
    const { counts, depth, string } = this.#scanner;
    for (let leaf = 0; leaf < CONTENT_LEAVES.length; leaf++) {
      const octets = counts[leaf] ?? 0;
      if (octets === 0) continue;
      counts[leaf] = 0;
      parts.take(leaf, octets, depth, string);
    }
  }

  #flushCounts(): void {
    const scanner = this.#scanner;
    const counts = scanner.counts;
    for (let leaf = 0; leaf < CONTENT_LEAVES.length; leaf++) {
      const octets = counts[leaf] ?? 0;
      if (octets === 0) continue;
      counts[leaf] = 0;
      this.#sink.content(this.#base + leaf, octets, NOTHING, 0, null);
    }
    if (scanner.data > 0) this.#move(LEAF["json.string.text"], LEAF["json.base64.data"], scanner.data);
    if (scanner.inflation > 0) this.#move(LEAF["json.string.text"], LEAF["json.base64.inflation"], scanner.inflation);
    scanner.data = 0;
    scanner.inflation = 0;
    scanner.found = null;
  }
}

/** What is told of content that was only guessed to be JSON; nothing else is. */
const GUESSED: { readonly [N in ContentNote]?: ContentNote } = {
  "json-malformed": "inferred-not-json",
  "limit-json-depth": "limit-json-depth",
  "limit-json-string": "limit-json-string",
};

/** Without parts a sink does not look at the octets. */
const NOTHING = new Uint8Array(0);
