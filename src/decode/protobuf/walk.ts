import type { ContentSink } from "../content/content-sink.ts";
import { Announcer, add } from "./announcer.ts";
import type { FieldType, MessageType } from "./message-type.ts";
import { PrintableText } from "./printable-text.ts";
import { REGION, Region } from "./region.ts";
import { RunList } from "./run-list.ts";
import { BYTES, LENGTH, MALFORMED, STRING, TAG, WIRE_LEAVES } from "./wire-leaf.ts";

/** Of a path, see ContentSink.content: what is longer is null. */
const PATH_OCTETS = 256;
const PATH_LEVELS = 32;

/**
 * Where the walk through one message stands, and what the sink was told so far: open regions, octets by leaf, and what may have to be
 * taken back. Its users read tags, lengths and values and call it at each step.
 *
 * Taking back: a *question* (a LEN value without a schema) is announced as bytes; `guess` counts what its octets are in case that all
 * of it is a message, and `before` of each region what that was when the region began. The outermost one is refined when it is over.
 * A group, and the outermost open field, may turn out to have no end: `before` is then what the message's totals were at its tag.
 */
export class Walk {
  readonly said: Announcer;
  /** Open regions: [0] is the message, [depth] the innermost. What lies above is left over, for reuse. */
  readonly regions: Region[] = [new Region()];
  depth = 0;
  /** Depth of the outermost open question; 0: none is open. All regions above it are questions or groups. */
  question = 0;
  /** Offset of the first region in the open question that was not looked into, because of its depth; -1: there is none. */
  tooDeep = -1;
  /** Octets of the message so far. */
  offset = 0;
  readonly text = new PrintableText();
  /** Octets by leaf in the outermost open question, if what looks like a message is one. */
  readonly guess = new Float64Array(WIRE_LEAVES);
  /** With parts: the field of the message at hand; in the open question, what is guessed. */
  readonly #fieldRuns: RunList | null;
  readonly #guessRuns: RunList | null;
  // Octets of the field at hand, while it is no region.
  #tagLeaf = TAG;
  #tag = 0;
  #length = 0;
  #valueLeaf = BYTES;
  #value = 0;
  #malformedNoted = false;
  #depthNoted = false;

  constructor(sink: ContentSink, base: number) {
    this.said = new Announcer(sink, base);
    this.#fieldRuns = sink.parts ? new RunList() : null;
    this.#guessRuns = sink.parts ? new RunList() : null;
  }

  /** The innermost region. */
  get region(): Region {
    return this.regions[this.depth] as Region;
  }

  /** A message begins. @param length null: it ends when `end` says so. */
  begin(type: MessageType | null, length: number | null): void {
    const top = this.regions[0] as Region;
    top.type = type;
    top.end = length ?? Number.POSITIVE_INFINITY;
    this.depth = this.question = this.offset = 0;
    this.tooDeep = -1;
    this.text.begin();
    this.#malformedNoted = this.#depthNoted = false;
    this.beginField();
  }

  /** The next octet is the first of a tag. */
  beginField(): void {
    this.#tag = this.#length = this.#value = 0;
    if (this.depth === 0) this.#fieldRuns?.clear();
  }

  /** The next octets, at `bytes[from …)`, are part of a tag. */
  takeTag(leaf: number, octets: number, bytes: Uint8Array, from: number, path: string | null): void {
    this.#tagLeaf = leaf;
    this.#tag += octets;
    this.take(leaf, octets, bytes, from, path);
  }

  /** … of a length. */
  takeLength(octets: number, bytes: Uint8Array, from: number): void {
    this.#length += octets;
    this.take(LENGTH, octets, bytes, from, this.region.path);
  }

  /** … of a value that is no region. */
  takeValue(leaf: number, octets: number, bytes: Uint8Array, from: number, path: string | null): void {
    this.#valueLeaf = leaf;
    this.#value += octets;
    this.take(leaf, octets, bytes, from, path);
  }

  /** Announce octets; inside a question as bytes, whatever they may be. */
  take(leaf: number, octets: number, bytes: Uint8Array, from: number, path: string | null): void {
    if (octets === 0) return;
    this.offset += octets;
    if (this.question === 0) {
      this.#fieldRuns?.add(leaf, octets);
      this.said.take(leaf, octets, bytes, from, path);
      return;
    }
    add(this.guess, leaf, octets);
    this.#guessRuns?.add(leaf, octets);
    this.said.take(BYTES, octets, bytes, from, null);
  }

  /** The path of a value in the innermost region; null without parts. */
  pathOf(field: FieldType | undefined): string | null {
    const { path, levels, type } = this.region;
    if (type?.namesItself === true && field?.name === "value") return null;
    if (!this.said.parts || field === undefined || path === null || levels === PATH_LEVELS) return null;
    const longer = path === "" ? field.name : `${path}.${field.name}`;
    return longer.length <= PATH_OCTETS ? longer : null;
  }

  /** The field at hand holds fields: its header has been taken. @param octets from here on; a group's: to the end of what is around it. */
  open(kind: number, octets: number, field: FieldType | undefined, number: number): void {
    const outer = this.region;
    const path = this.pathOf(field);
    this.depth++;
    const region = this.regionAt(this.depth);
    region.kind = kind;
    region.start = this.offset;
    region.end = this.offset + octets;
    region.tagAt = this.offset - this.#tag - this.#length;
    region.type = field?.message ?? null;
    region.number = number;
    region.path = path;
    region.levels = outer.levels + 1;
    if (kind === REGION.question) {
      if (this.question === 0) this.#ask();
      for (let leaf = 0; leaf < WIRE_LEAVES; leaf++) region.before[leaf] = this.guess[leaf] as number;
    }
    // The outermost field and groups are taken back from their tags on; inside a question nothing needs to be.
    if (this.depth === 1 || (kind === REGION.group && this.question === 0)) this.#remember(region);
    this.beginField();
  }

  /** The region object for a depth. */
  regionAt(depth: number): Region {
    let region = this.regions[depth];
    if (region === undefined) {
      region = new Region();
      this.regions.push(region);
    }
    return region;
  }

  /** An end group tag has been taken. */
  endGroup(): void {
    this.depth--;
  }

  /** Close what ends at this offset; `bytes` with `shift` is the chunk that has its last octet. @returns whether anything did. */
  settle(bytes: Uint8Array, shift: number): boolean {
    let region = this.region;
    if (this.offset !== region.end || this.depth === 0) return false;
    while (this.offset === region.end && this.depth > 0) {
      if (region.kind === REGION.group) this.#endWithoutTag();
      else if (region.kind === REGION.question) this.#decide(region, bytes, shift);
      else this.depth--;
      region = this.region;
    }
    this.beginField();
    return true;
  }

  /**
   * The field at hand is broken, and nothing behind it can be told apart: what was announced of it is taken back, and the groups it is in
   * are closed.
   * @returns what the rest of the innermost region with a length is.
   */
  breakField(): number {
    this.leaveGroups();
    if (this.question > 0) {
      this.#allIs(this.region, BYTES);
      return BYTES;
    }
    if (this.depth === 0) (this.regions[0] as Region).end = Number.POSITIVE_INFINITY;
    this.#takeBackField();
    return MALFORMED;
  }

  /** The innermost region is now one with a length. */
  leaveGroups(): void {
    while (this.region.kind === REGION.group) this.depth--;
  }

  /** The message is over, and not before its time: a field that is not over is malformed. */
  endField(): void {
    if (this.depth === 0) {
      if (this.#tag > 0) this.#takeBackField();
      return;
    }
    if (this.question > 0) this.#fieldRuns?.add(BYTES, this.offset - (this.regions[this.question] as Region).start);
    this.#takeBack(this.regions[1] as Region);
  }

  /** A region was too deep to look into. */
  noteDepth(): void {
    this.tooDeep = -1;
    if (this.#depthNoted) return;
    this.#depthNoted = true;
    this.said.note("limit-protobuf-depth");
  }

  /** Nothing is guessed yet about the outermost question. */
  #ask(): void {
    this.question = this.depth;
    this.guess.fill(0);
    this.#guessRuns?.clear();
  }

  #remember(region: Region): void {
    const { before } = region;
    for (let leaf = 0; leaf < WIRE_LEAVES; leaf++) before[leaf] = this.said.octetsOf(leaf);
    before[this.#tagLeaf] = (before[this.#tagLeaf] as number) - this.#tag;
    before[LENGTH] = (before[LENGTH] as number) - this.#length;
  }

  /** A question is over. */
  #decide(region: Region, bytes: Uint8Array, shift: number): void {
    if (this.text.holds(bytes, shift, region.start, region.end)) this.#allIs(region, STRING);
    if (this.depth === this.question) this.#answer(region.end - region.start);
    this.depth--;
  }

  /** What has passed of a question is text after all, or bytes: whatever it was taken for. */
  #allIs(region: Region, leaf: number): void {
    const octets = this.offset - region.start;
    if (this.depth === this.question) {
      this.#ask();
      this.#guessRuns?.add(leaf, octets);
    } else {
      this.guess.set(region.before);
      this.#guessRuns?.relabel(octets, leaf);
    }
    add(this.guess, leaf, octets);
    if (this.tooDeep >= region.start) this.tooDeep = -1;
  }

  /** The outermost question is over: its octets, announced as bytes, are what was guessed. */
  #answer(octets: number): void {
    this.question = 0;
    const guessed = this.#guessRuns;
    if (guessed !== null && !guessed.overflowed) {
      guessed.each(octets, (leaf, run, back) => this.said.move(BYTES, leaf, run, back));
      this.#fieldRuns?.append(guessed, octets);
    } else {
      for (let leaf = 0; leaf < WIRE_LEAVES; leaf++) this.said.move(BYTES, leaf, this.guess[leaf] as number, 0);
      this.#fieldRuns?.overflow();
    }
    if (this.tooDeep >= 0) this.noteDepth();
  }

  /** The region around groups is over, and they are not. */
  #endWithoutTag(): void {
    let outermost = this.region;
    while (this.region.kind === REGION.group) {
      outermost = this.region;
      this.depth--;
    }
    if (this.question > 0) this.#allIs(this.region, BYTES);
    else this.#takeBack(outermost);
  }

  /** The field at hand, which is no region, is malformed. */
  #takeBackField(): void {
    const tag = this.#tag;
    const length = this.#length;
    const value = this.#value;
    this.#tag = this.#length = this.#value = 0;
    this.said.move(this.#tagLeaf, MALFORMED, tag, length + value);
    this.said.move(LENGTH, MALFORMED, length, value);
    this.said.move(this.#valueLeaf, MALFORMED, value, 0);
    this.#fieldRuns?.relabel(tag + length + value, MALFORMED);
    this.#noteMalformed();
  }

  /** The field of this region is malformed from its tag on. */
  #takeBack(region: Region): void {
    const octets = this.offset - region.tagAt;
    const runs = this.#fieldRuns;
    if (runs !== null && !runs.overflowed) {
      runs.each(octets, (leaf, run, back) => {
        this.said.move(leaf, MALFORMED, run, back);
      });
      runs.relabel(octets, MALFORMED);
    } else {
      for (let leaf = 0; leaf < WIRE_LEAVES; leaf++) {
        this.said.move(leaf, MALFORMED, this.said.octetsOf(leaf) - (region.before[leaf] as number), 0);
      }
    }
    this.#noteMalformed();
  }

  #noteMalformed(): void {
    if (this.#malformedNoted) return;
    this.#malformedNoted = true;
    this.said.note("protobuf-malformed");
  }
}
