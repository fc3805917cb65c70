import { JsonDecoder } from "../json/json-decoder.ts";
import type { MessageType } from "../protobuf/message-type.ts";
import { ProtobufDecoder } from "../protobuf/protobuf-decoder.ts";
import type { ContentDecoder } from "./content-decoder.ts";
import type { ContentKind } from "./content-kind.ts";
import { LEAF } from "./content-leaf.ts";
import type { ContentSink } from "./content-sink.ts";
import { SniffedContent } from "./sniffed-content.ts";

const OPEN_BRACE = 0x7b;
const OPEN_BRACKET = 0x5b;

/** The content of one body or message after another: picks its decoder and announces every octet. Reused: decoders are made once. */
export class Content {
  readonly #sink: ContentSink;
  readonly #base: number;
  #json: JsonDecoder | null = null;
  #protobuf: ProtobufDecoder | null = null;
  #sniffed: SniffedContent | null = null;
  /** Null while `#category` says it all, or before the first octet of content of unknown kind. */
  #decoder: ContentDecoder | null = null;
  #category = 0;
  #undecided = false;
  #open = false;

  /** @param base the category of its root's first leaf, see CONTENT_BASE. */
  constructor(sink: ContentSink, base: number) {
    this.#sink = sink;
    this.#base = base;
  }

  /**
   * Content begins.
   * @param type of a protobuf message, where a schema is at hand. @param length octets it says it has; null: unknown.
   */
  begin(kind: ContentKind, type: MessageType | null, length: number | null): void {
    this.#decoder = null;
    this.#undecided = false;
    this.#open = true;
    switch (kind) {
      case "json":
      case "json-lines":
        this.#beginJson(kind === "json-lines", false);
        return;
      case "protobuf":
        if (type === null) this.#sink.contentNote("inferred-protobuf");
        this.#protobuf ??= new ProtobufDecoder(this.#sink, this.#base);
        this.#protobuf.expect(type, length);
        this.#start(this.#protobuf);
        return;
      case "unknown":
        this.#undecided = true;
        return;
      case "compressed":
      case "text":
      case "binary":
      case "undecoded":
        this.#category = this.#base + LEAF[kind];
    }
  }

  /** Take `bytes[from, to)`; borrowed until the call returns. */
  push(bytes: Uint8Array, from: number, to: number): void {
    if (from === to) return;
    if (this.#undecided) this.#decide(bytes[from] ?? 0);
    if (this.#decoder !== null) this.#decoder.push(bytes, from, to);
    else this.#sink.content(this.#category, to - from, bytes, from, null);
  }

  /** Octets of it are missing here: what follows them no grammar can read. What none reads goes on as it was. */
  cut(): void {
    if (!this.#open || (this.#decoder === null && !this.#undecided)) return;
    this.#decoder?.end(true);
    this.#decoder = null;
    this.#undecided = false;
    this.#category = this.#base + LEAF.undecoded;
  }

  /** It is over; a second call does nothing. @param cut before its time: a lost peer, a reset. */
  end(cut: boolean): void {
    if (!this.#open) return;
    this.#open = false;
    this.#decoder?.end(cut);
  }

  #start(decoder: ContentDecoder): void {
    decoder.begin();
    this.#decoder = decoder;
  }

  #beginJson(lines: boolean, inferred: boolean): void {
    this.#json ??= new JsonDecoder(this.#sink, this.#base);
    this.#json.lines = lines;
    this.#json.inferred = inferred;
    this.#start(this.#json);
  }

  /** The first octet alone decides for JSON: whatever comes with it, the answer is the same. */
  #decide(first: number): void {
    this.#undecided = false;
    if (first === OPEN_BRACE || first === OPEN_BRACKET) {
      this.#sink.contentNote("inferred-content");
      this.#beginJson(false, true);
      return;
    }
    this.#sniffed ??= new SniffedContent(this.#sink, this.#base);
    this.#start(this.#sniffed);
  }
}
