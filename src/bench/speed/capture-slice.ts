import {
  concatOctets,
  HpackEncoder,
  PREFACE,
  SETTING,
  writeData,
  writeHeaders,
  writeSettings,
  writeSettingsAck,
  writeWindowUpdate,
} from "http2-frame-parser";
import { ConversationWriter } from "../../capture/write/conversation-writer.ts";
import { type BlockOutput, PcapngWriter } from "../../capture/write/pcapng-writer.ts";
import { C2S, S2C } from "../../decode/direction.ts";
import { GET, OCTET_STREAM } from "./conversation.ts";
import { GrpcLikeClient, GrpcLikeServer } from "./grpc-like.ts";

/** What a generated capture is of: small gRPC-like calls, a packet a side each, or responses of 8 MB in DATA frames of 16 KiB. */
export type SliceOf = "calls" | "data";

/** The port of all its servers, which says nothing about what is spoken there. */
export const SLICE_PORT = 50_051;

const START_NS = 1_700_000_000_000_000_000n;
/** From one delta to the next. */
const STEP_NS = 50_000n;
const SECTION = { hardware: "", os: "", application: "wiretally bench", comment: "generated" };
const PIECE_OCTETS = 1024 * 1024;

const CALLS_A_CONNECTION = 1_000;
const RESPONSES_A_CONNECTION = 10;
const RESPONSE_OCTETS = 8_000_000;
const FRAME_OCTETS = 16 * 1024;
/** A delta as a relay reads it. */
const DELTA_OCTETS = 64_000;
const LARGEST_WINDOW = 2 ** 31 - 1;
const INITIAL_WINDOW = 65_535;

/**
 * A pcapng capture as a relay writes it, the same octets in every process.
 * @param octets about how long it is; the last conversation ends properly. @returns its pieces, to be used before the next is taken.
 */
export function* captureSlice(of: SliceOf, octets: number): Generator<Uint8Array> {
  const output = new Pieces();
  const slice = new Slice(output);
  while (output.octets < octets) {
    for (const _ of of === "calls" ? slice.calls() : slice.responses()) {
      yield* output.take(PIECE_OCTETS);
      if (output.octets >= octets) break;
    }
    slice.close();
  }
  yield* output.take(0);
}

/** One conversation after the other. */
class Slice {
  readonly #writer: ConversationWriter;
  #conversations = 0;
  #timeNs = START_NS;

  constructor(output: BlockOutput) {
    this.#writer = new ConversationWriter(new PcapngWriter(output, SECTION));
    this.#writer.listener("bench", "10.0.0.2:50050", `10.0.0.2:${SLICE_PORT}`);
  }

  /** A connection's calls, one a turn. */
  *calls(): Generator<void> {
    this.#open();
    const [client, server] = [new GrpcLikeClient(), new GrpcLikeServer()];
    this.#say(C2S, client.opening());
    this.#say(S2C, server.opening());
    for (let call = 0; call < CALLS_A_CONNECTION; call++) {
      this.#say(C2S, client.calls(1));
      this.#say(S2C, server.answers(1));
      yield;
    }
  }

  /** A connection's responses, a delta a turn. One that is left in the middle stays without its end. */
  *responses(): Generator<void> {
    this.#open();
    const [request, response] = [new HpackEncoder(), new HpackEncoder()];
    const window = writeWindowUpdate(0, LARGEST_WINDOW - INITIAL_WINDOW);
    this.#say(C2S, concatOctets([PREFACE, writeSettings(WIDE), window]));
    this.#say(S2C, concatOctets([writeSettings([]), writeSettingsAck()]));
    for (let count = 0; count < RESPONSES_A_CONNECTION; count++) {
      const stream = 2 * count + 1;
      this.#say(C2S, writeHeaders(stream, request.encode(GET), { endStream: true }));
      this.#say(S2C, writeHeaders(stream, response.encode(OCTET_STREAM)));
      const frame = writeData(stream, new Uint8Array(FRAME_OCTETS));
      const body = concatOctets(Array<Uint8Array>(Math.ceil(RESPONSE_OCTETS / FRAME_OCTETS)).fill(frame));
      for (let at = 0; at < body.length; at += DELTA_OCTETS) {
        this.#say(S2C, body.subarray(at, at + DELTA_OCTETS));
        yield;
      }
      this.#say(S2C, writeData(stream, new Uint8Array(0), { endStream: true }));
    }
  }

  close(): void {
    this.#writer.fin(this.#id, C2S, this.#now());
    this.#writer.fin(this.#id, S2C, this.#now());
    this.#writer.close(this.#id, this.#now());
  }

  get #id(): string {
    return `c${this.#conversations}`;
  }

  #open(): void {
    this.#conversations++;
    const client = `10.0.0.1:${10_000 + (this.#conversations % 50_000)}`;
    const facts = { id: this.#id, listener: "bench", client, server: `10.0.0.2:${SLICE_PORT}` };
    this.#writer.open(facts, this.#now());
  }

  #say(direction: typeof C2S | typeof S2C, octets: Uint8Array): void {
    this.#writer.delta(this.#id, direction, octets, this.#now());
  }

  #now(): bigint {
    this.#timeNs += STEP_NS;
    return this.#timeNs;
  }
}

/** Blocks on their way into pieces of about a megabyte. */
class Pieces implements BlockOutput {
  octets = 0;
  #piece = new Uint8Array(2 * PIECE_OCTETS);
  #used = 0;

  reserve(octets: number): Uint8Array {
    const room = this.#piece.subarray(this.#used, this.#used + octets);
    this.#used += octets;
    this.octets += octets;
    return room;
  }

  nextFile(): void {}

  /** The piece under way, if it has more than `least` octets. */
  *take(least: number): Generator<Uint8Array> {
    if (this.#used <= least) return;
    const piece = this.#piece.subarray(0, this.#used);
    this.#piece = new Uint8Array(2 * PIECE_OCTETS);
    this.#used = 0;
    yield piece;
  }
}

const WIDE = [{ identifier: SETTING.INITIAL_WINDOW_SIZE, value: LARGEST_WINDOW }];
