import { CATEGORY, CONTENT_BASE } from "../category.ts";
import { Content } from "../content/content.ts";
import { kindOfPart } from "../content/content-kind.ts";
import { C2S } from "../direction.ts";
import { messageCutRule } from "../grpc/envelope-rules.ts";
import { GrpcMessages } from "../grpc/grpc-messages.ts";
import type { Schemas } from "../protobuf/message-type.ts";
import type { Announcer } from "./announcer.ts";
import type { HeadFacts } from "./head-facts.ts";

/** What the message bodies of one direction hold: content, or messages in Connect's envelopes. Reused from body to body. */
export class BodyContent {
  readonly #announcer: Announcer;
  readonly #schemas: Schemas | null;
  readonly #body: Content;
  /** Content of messages; made for the first one, as few connections have any. */
  #message: Content | null = null;
  #envelopes: GrpcMessages | null = null;
  /** The body at hand has envelopes. */
  #enveloped = false;
  /** Octets are missing, so that nobody knows where the next envelope begins. */
  #lost = false;

  constructor(announcer: Announcer, schemas: Schemas | null) {
    this.#announcer = announcer;
    this.#schemas = schemas;
    this.#body = new Content(announcer, CONTENT_BASE.body);
  }

  /** A body begins: read as its head says. @param length octets it has; null: unknown. */
  begin(facts: HeadFacts, length: number | null): void {
    const { type, contentCoded, contentRange, transferCoded } = facts;
    const coded = contentCoded || transferCoded;
    // gRPC needs HTTP/2.
    this.#enveloped = type.envelope === "connect" && !coded && !contentRange;
    if (this.#enveloped) {
      this.#beginEnvelopes(facts);
      return;
    }
    const message = type.messageType === null ? null : (this.#schemas?.message(type.messageType) ?? null);
    const kind = contentRange ? kindOfPart(type.kind) : type.kind;
    this.#body.begin(coded ? "compressed" : kind, message, length);
  }

  /** Announce the next octets of it, `bytes[from, to)`. */
  push(bytes: Uint8Array, from: number, to: number): void {
    if (!this.#enveloped) this.#body.push(bytes, from, to);
    else if (this.#lost) this.#announcer.octets(CATEGORY["grpc.message.undecoded"], bytes, from, to);
    else this.#envelopes?.push(bytes, from, to);
  }

  /** Octets of it are missing here: as many as `octets`; null: nobody knows. */
  gap(octets: number | null): void {
    if (!this.#enveloped) this.#body.cut();
    else if (!this.#lost && this.#envelopes?.gap(octets) === false) {
      this.#message?.end(true);
      this.#lost = true;
    }
  }

  /** It is over; a second call does nothing. @param cut before its time. */
  end(cut: boolean): void {
    if (!this.#enveloped) {
      this.#body.end(cut);
      return;
    }
    this.#enveloped = false;
    const missing = this.#lost ? 0 : (this.#envelopes?.missing ?? 0);
    this.#message?.end(cut || missing > 0);
    if (!cut && missing > 0) this.#announcer.violation(messageCutRule("connect", missing));
  }

  #beginEnvelopes({ type }: HeadFacts): void {
    const { direction, exchange } = this.#announcer;
    const path = exchange?.path ?? null;
    const method = path === null ? null : (this.#schemas?.method(path) ?? null);
    const message = method === null ? null : method[direction === C2S ? "request" : "response"];
    const codec = type.grpc ?? "binary";
    this.#lost = false;
    this.#message ??= new Content(this.#announcer, CONTENT_BASE.message);
    if (this.#envelopes === null) this.#envelopes = new GrpcMessages(this.#announcer, this.#message, codec, message, "connect");
    else this.#envelopes.begin(this.#message, codec, message, "connect");
  }
}
