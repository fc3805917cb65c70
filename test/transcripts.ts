import fc from "fast-check";
import {
  HpackEncoder,
  writeAltsvc,
  writeData,
  writeFrame,
  writeGoaway,
  writeHeaders,
  writeOrigin,
  writePing,
  writePriority,
  writePriorityUpdate,
  writePushPromise,
  writeRstStream,
  writeSettings,
  writeSettingsAck,
  writeWindowUpdate,
} from "http2-frame-parser";
import { C2S, type Direction, S2C } from "../src/decode/direction.ts";
import { type ContentSample, contentSample, jsonObject, jsonSample, protobufSample } from "./content-samples.ts";
import type { Transcript } from "./replay.ts";

const latin1 = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, "latin1"));

/** Collects what two peers send, turn by turn. */
class Conversation {
  readonly #pieces: [Uint8Array[], Uint8Array[]] = [[], []];
  readonly #lengths = [0, 0];
  readonly #turns: { direction: Direction; start: number; end: number }[] = [];
  readonly hpack = [new HpackEncoder(), new HpackEncoder()] as const;
  stream = -1;

  send(direction: Direction, octets: Uint8Array): this {
    const start = this.#lengths[direction] ?? 0;
    const end = start + octets.length;
    this.#pieces[direction].push(octets);
    this.#lengths[direction] = end;
    if (end > start) this.#turns.push({ direction, start, end });
    return this;
  }

  transcript(): Transcript {
    return { octets: [Buffer.concat(this.#pieces[C2S]), Buffer.concat(this.#pieces[S2C])], turns: this.#turns };
  }
}

type Move = (talk: Conversation) => void;

const small = fc.uint8Array({ maxLength: 40 });
const direction = fc.constantFrom<Direction>(C2S, S2C);
const padLength = fc.option(fc.nat(9), { nil: undefined, freq: 3 });
const token = fc.stringMatching(/^[a-z]{1,8}$/);

/** Requests and answers: gRPC and not, padded, prioritised, over CONTINUATIONs, with interim heads and trailers. */
const exchange: fc.Arbitrary<Move> = fc
  .record({
    grpc: fc.boolean(),
    body: small,
    name: token,
    value: token,
    padLength,
    priority: fc.boolean(),
    maxFragment: fc.integer({ min: 1, max: 64 }),
    hints: fc.boolean(),
    trailers: fc.boolean(),
  })
  .map(({ grpc, body, name, value, padLength: pad, priority, maxFragment, hints, trailers }) => (talk) => {
    talk.stream += 2;
    const id = talk.stream;
    const type = grpc ? "application/grpc" : "text/plain";
    const content = grpc ? Buffer.concat([Uint8Array.of(0, 0, 0, 0, body.length), body]) : body;
    const request = talk.hpack[C2S].encode([
      { name: ":method", value: "POST" },
      { name: ":scheme", value: "http" },
      { name: ":path", value: `/${name}/${value}` },
      { name: ":authority", value: "a.example" },
      { name: "content-type", value: type },
      { name: "authorization", value, representation: "never" },
      { name, value, representation: "literal" },
    ]);
    const weight = priority ? { exclusive: false, dependency: 0, weight: 16 } : undefined;
    talk.send(C2S, writeHeaders(id, request, { padLength: pad, priority: weight, maxFragment }));
    talk.send(C2S, writeData(id, content, { endStream: true, padLength: pad }));
    if (hints) talk.send(S2C, writeHeaders(id, talk.hpack[S2C].encode([{ name: ":status", value: "103" }])));
    talk.send(
      S2C,
      writeHeaders(
        id,
        talk.hpack[S2C].encode([
          { name: ":status", value: "200" },
          { name: "content-type", value: type },
          { name, value },
        ]),
        { maxFragment },
      ),
    );
    talk.send(S2C, writeData(id, content, { endStream: !trailers, padLength: pad }));
    if (trailers)
      talk.send(S2C, writeHeaders(id, talk.hpack[S2C].encode([{ name: "grpc-status", value: "0" }]), { endStream: true }));
  });

/** A POST whose body says what it is: over HTTP/2, or as gRPC messages with and without a schema. */
const content: fc.Arbitrary<Move> = fc
  .record({
    sample: contentSample,
    messages: fc.array(fc.tuple(fc.record({ protobuf: protobufSample, json: jsonSample }), fc.nat({ max: 5 })), { maxLength: 3 }),
    codec: fc.constantFrom("", "+proto", "+json", "+thrift"),
    connect: fc.boolean(),
    grpc: fc.boolean(),
    path: fc.constantFrom("/item.v1.ItemService/Echo", "/a.B/C"),
    frame: fc.integer({ min: 1, max: 80 }),
  })
  .map(({ sample, messages, codec, connect, grpc, path, frame }) => (talk) => {
    talk.stream += 2;
    const id = talk.stream;
    const type = grpc ? `application/${connect && codec !== "" ? "connect" : "grpc"}${codec}` : sample.type;
    const fields = [
      ...(type === null ? [] : [{ name: "content-type", value: type }]),
      ...(grpc || sample.coding === null ? [] : [{ name: "content-encoding", value: sample.coding }]),
    ];
    // One flag in six says that the message is compressed, one that the stream ends with it.
    const envelope = ([message, flag]: (typeof messages)[number]) => {
      const written = codec === "+json" ? message.json : message.protobuf;
      return [
        Uint8Array.of(flag === 5 ? 1 : connect && flag === 4 ? 2 : 0, 0, 0, written.length >> 8, written.length & 0xff),
        written,
      ];
    };
    const octets = grpc ? Buffer.concat(messages.flatMap(envelope)) : sample.octets;
    const request = [":method POST", ":scheme http", `:path ${path}`].map((line) => {
      const [name = "", value = ""] = line.split(" ");
      return { name, value };
    });
    talk.send(C2S, writeHeaders(id, talk.hpack[C2S].encode([...request, ...fields])));
    for (let at = 0; at < octets.length; at += frame) talk.send(C2S, writeData(id, octets.subarray(at, at + frame)));
    talk.send(C2S, writeData(id, new Uint8Array(0), { endStream: true }));
    talk.send(S2C, writeHeaders(id, talk.hpack[S2C].encode([{ name: ":status", value: "200" }, ...fields])));
    talk.send(S2C, writeData(id, octets, { endStream: true }));
  });

/** Everything else that HTTP/2 peers say to each other. */
const control: fc.Arbitrary<Move> = fc.oneof(
  direction.map(
    (side): Move =>
      (talk) =>
        talk
          .send(side, writePing(new Uint8Array(8).fill(7)))
          .send(side === C2S ? S2C : C2S, writePing(new Uint8Array(8).fill(7), { ack: true })),
  ),
  fc.tuple(direction, fc.nat(70000)).map(
    ([side, increment]): Move =>
      (talk) =>
        talk.send(side, writeWindowUpdate(0, increment + 1)),
  ),
  fc.tuple(direction, fc.nat(3)).map(
    ([side, n]): Move =>
      (talk) =>
        talk.send(side, writeWindowUpdate(1 + 2 * n, 77)),
  ),
  fc.tuple(direction, fc.nat(100)).map(
    ([side, value]): Move =>
      (talk) =>
        talk
          .send(
            side,
            writeSettings([
              { identifier: 3, value },
              { identifier: 4, value: value * 1000 },
            ]),
          )
          .send(side === C2S ? S2C : C2S, writeSettingsAck()),
  ),
  direction.map(
    (side): Move =>
      (talk) =>
        talk.send(side, writeRstStream(Math.max(1, talk.stream), 8)),
  ),
  direction.map(
    (side): Move =>
      (talk) =>
        talk.send(side, writeGoaway(1, 11, { debugData: latin1("too_many_pings") })),
  ),
  fc.constant<Move>((talk) => talk.send(C2S, writePriority(1, { exclusive: true, dependency: 3, weight: 256 }))),
  fc.constant<Move>((talk) => {
    const block = talk.hpack[S2C].encode([
      { name: ":method", value: "GET" },
      { name: ":path", value: "/pushed" },
    ]);
    talk.send(S2C, writePushPromise(Math.max(1, talk.stream), 2, block, { padLength: 3 }));
  }),
  fc.constant<Move>((talk) =>
    talk.send(S2C, writeAltsvc(0, "a.example", 'h2=":443"')).send(S2C, writeOrigin(["https://a.example"])),
  ),
  fc.constant<Move>((talk) => talk.send(C2S, writePriorityUpdate(1, "u=1"))),
  fc.tuple(direction, small).map(
    ([side, payload]): Move =>
      (talk) =>
        talk.send(side, writeFrame(0xfa, 0xff, 1, payload)),
  ),
  // Illegal on purpose: a PING of 7 octets, and a block whose index no table has.
  direction.map(
    (side): Move =>
      (talk) =>
        talk.send(side, writeFrame(6, 0, 0, new Uint8Array(7))),
  ),
  direction.map(
    (side): Move =>
      (talk) =>
        talk.send(side, writeHeaders(Math.max(1, talk.stream), Uint8Array.of(0x82, 0xff, 0xff, 0x7f))),
  ),
  direction.map(
    (side): Move =>
      (talk) => {
        talk.hpack[side].setMaxTableSize(64);
        talk.stream += 2;
        talk.send(side, writeHeaders(talk.stream, talk.hpack[side].encode([{ name: "x-a", value: "1" }])));
      },
  ),
);

const http2: fc.Arbitrary<Transcript> = fc
  .tuple(
    fc.array(fc.oneof({ weight: 2, arbitrary: exchange }, { weight: 3, arbitrary: content }, { weight: 3, arbitrary: control }), {
      minLength: 1,
      maxLength: 12,
    }),
    fc.constantFrom("", "PROXY TCP4 192.0.2.1 192.0.2.2 1 2\r\n"),
  )
  .map(([moves, before]) => {
    const talk = new Conversation()
      .send(C2S, latin1(`${before}PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n`))
      .send(C2S, writeSettings([]))
      .send(S2C, writeSettings([]));
    for (const move of moves) move(talk);
    return talk.transcript();
  });

/** HTTP/1 pairs: lengths, chunks with trailers, folds, lone LF, leading empty lines, an upgrade and a CONNECT. */
const HTTP1_MOVES: readonly Move[] = [
  (talk) =>
    talk
      .send(C2S, latin1("GET /a?token=1 HTTP/1.1\r\nHost: a.example\r\n\r\n"))
      .send(S2C, latin1("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")),
  (talk) =>
    talk
      .send(C2S, latin1("\r\nPOST /b HTTP/1.1\nHost: a\nTransfer-Encoding: chunked\n\n3;x=1\r\nabc\r\n0\r\nX-Sum: 1\r\n\r\n"))
      .send(S2C, latin1("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n")),
  (talk) =>
    talk
      .send(C2S, latin1("HEAD /c HTTP/1.1\r\nHost: a\r\nX-Fold: one\r\n two\r\n\r\n"))
      .send(S2C, latin1("HTTP/1.1 200 OK\r\nContent-Length: 999\r\n\r\n")),
  (talk) =>
    talk.send(C2S, latin1("GET /d HTTP/1.1\r\nHost: a\r\nbad line\r\n\r\n")).send(S2C, latin1("HTTP/1.1 204 No Content\r\n\r\n")),
  (talk) =>
    talk
      .send(C2S, latin1("GET /ws HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n"))
      .send(C2S, Uint8Array.of(0x81, 0))
      .send(S2C, latin1("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n\x81\x02hi")),
  (talk) =>
    talk
      .send(C2S, latin1("GET /no HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n"))
      .send(C2S, latin1("GET /e HTTP/1.1\r\nHost: a\r\n\r\n"))
      .send(S2C, latin1("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")),
  (talk) =>
    talk
      .send(C2S, latin1("CONNECT a.example:443 HTTP/1.1\r\nHost: a\r\n\r\n"))
      .send(S2C, latin1("HTTP/1.1 200 OK\r\n\r\n"))
      .send(C2S, Uint8Array.of(0x16, 3, 1, 0, 4, 1, 0, 0, 0)),
  (talk) =>
    talk
      .send(C2S, latin1("PUT /f HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n"))
      .send(S2C, latin1("HTTP/1.1 417 Expectation Failed\r\nContent-Length: 0\r\n\r\n")),
  (talk) => talk.send(S2C, latin1("HTTP/1.0 200 OK\r\nServer: x\r\n\r\nto the end")),
];
/** Connect's envelopes, some with flags it does not have; one body in two is cut short. */
const connectSample: fc.Arbitrary<ContentSample> = fc
  .record({
    codec: fc.constantFrom("proto", "json", "thrift"),
    messages: fc.array(fc.tuple(fc.oneof(protobufSample, jsonSample), fc.constantFrom(0, 0, 0, 1, 2, 3, 9)), { maxLength: 4 }),
    cut: fc.nat(12),
  })
  .map(({ codec, messages, cut }) => {
    const octets = Buffer.concat(
      messages.flatMap(([message, flags]) => [Uint8Array.of(flags, 0, 0, message.length >> 8, message.length & 0xff), message]),
    );
    return {
      type: `application/connect+${codec}`,
      coding: null,
      octets: octets.subarray(0, octets.length - Math.max(0, cut - 6)),
    };
  });
/** The same body up and down, by its length and in chunks. */
const http1Content: fc.Arbitrary<Move> = fc
  .tuple(
    fc.oneof({ weight: 2, arbitrary: contentSample }, { weight: 1, arbitrary: connectSample }),
    fc.integer({ min: 1, max: 80 }),
  )
  .map(([sample, chunk]) => (talk) => {
    const type = sample.type === null ? "" : `Content-Type: ${sample.type}\r\n`;
    const coding = sample.coding === null ? "" : `Content-Encoding: ${sample.coding}\r\n`;
    talk
      .send(C2S, latin1(`POST /g HTTP/1.1\r\nHost: a\r\n${type}${coding}Content-Length: ${sample.octets.length}\r\n\r\n`))
      .send(C2S, sample.octets)
      .send(S2C, latin1(`HTTP/1.1 200 OK\r\n${type}${coding}Transfer-Encoding: chunked\r\n\r\n`));
    for (let at = 0; at < sample.octets.length; at += chunk) {
      const piece = sample.octets.subarray(at, at + chunk);
      talk
        .send(S2C, latin1(`${piece.length.toString(16)}\r\n`))
        .send(S2C, piece)
        .send(S2C, latin1("\r\n"));
    }
    talk.send(S2C, latin1("0\r\n\r\n"));
  });
const http1Move = fc.oneof({ weight: 2, arbitrary: fc.constantFrom(...HTTP1_MOVES) }, { weight: 1, arbitrary: http1Content });
const http1: fc.Arbitrary<Transcript> = fc.array(http1Move, { minLength: 1, maxLength: 6 }).map((moves) => {
  const talk = new Conversation();
  for (const move of moves) move(talk);
  return talk.transcript();
});

/** An upgrade, then frames both ways: texts and octets, in one piece and in several, with masks and without, whole and compressed. */
const webSocket: fc.Arbitrary<Transcript> = fc
  .tuple(
    fc.boolean(),
    fc.array(
      fc.record({
        side: direction,
        octets: fc.oneof(
          { weight: 3, arbitrary: jsonObject },
          { weight: 1, arbitrary: jsonSample },
          { weight: 2, arbitrary: contentSample.map(({ octets }) => octets) },
          small,
        ),
        opcode: fc.constantFrom(1, 1, 1, 2, 2, 9, 10, 8, 3),
        first: fc.nat(200),
        compressed: fc.boolean(),
        masked: fc.boolean(),
      }),
      { maxLength: 8 },
    ),
  )
  .map(([deflate, frames]) => {
    const extensions = deflate ? "Sec-WebSocket-Extensions: permessage-deflate\r\n" : "";
    const upgrade = `Connection: Upgrade\r\nUpgrade: websocket\r\n${extensions}\r\n`;
    const talk = new Conversation()
      .send(C2S, latin1(`GET /ws HTTP/1.1\r\nHost: a\r\n${upgrade}`))
      .send(S2C, latin1(`HTTP/1.1 101 Switching Protocols\r\n${upgrade}`));
    for (const { side, octets, opcode, first, compressed, masked } of frames) {
      const rsv = deflate && compressed ? 0x40 : 0;
      const isMasked = masked || side === C2S;
      if (opcode >= 8 || first >= octets.length) talk.send(side, webSocketFrame(0x80 | rsv | opcode, octets, isMasked));
      else {
        talk.send(side, webSocketFrame(rsv | opcode, octets.subarray(0, first), isMasked));
        talk.send(side, webSocketFrame(0x80, octets.subarray(first), isMasked));
      }
    }
    return talk.transcript();
  });

/** RFC 6455 §5.2, its length in the shortest form up to 65,535 octets. */
function webSocketFrame(first: number, payload: Uint8Array, masked: boolean): Uint8Array {
  const { length } = payload;
  const mask = masked ? [0x37, 0xfa, 0x21, 0x3d] : [];
  const header = length < 126 ? [length] : [126, length >> 8, length & 0xff];
  header[0] = (header[0] ?? 0) | (masked ? 0x80 : 0);
  return Uint8Array.from([first, ...header, ...mask, ...payload.map((octet, at) => octet ^ (mask[at % 4] ?? 0))]);
}

/** TLS records of every content type (RFC 8446 §5.1). */
const tls: fc.Arbitrary<Transcript> = fc
  .array(fc.tuple(direction, fc.integer({ min: 20, max: 23 }), fc.uint8Array({ minLength: 1, maxLength: 60 })), { maxLength: 10 })
  .map((records) => {
    const talk = new Conversation()
      .send(C2S, Uint8Array.of(0x16, 3, 1, 0, 4, 1, 0, 0, 0))
      .send(S2C, Uint8Array.of(0x16, 3, 3, 0, 4, 2, 0, 0, 0));
    for (const [side, type, payload] of records)
      talk.send(side, Buffer.concat([Uint8Array.of(type, 3, 3, 0, payload.length), payload]));
    return talk.transcript();
  });

const anything: fc.Arbitrary<Transcript> = fc.array(fc.tuple(direction, small), { maxLength: 6 }).map((turns) => {
  const talk = new Conversation();
  for (const [side, octets] of turns) talk.send(side, octets);
  return talk.transcript();
});

/** Transcripts that peers could have sent. */
export const validTranscript: fc.Arbitrary<Transcript> = fc.oneof(
  { weight: 6, arbitrary: http2 },
  { weight: 4, arbitrary: http1 },
  { weight: 2, arbitrary: webSocket },
  { weight: 1, arbitrary: tls },
  { weight: 1, arbitrary: anything },
);

/** One damage: an octet changed, octets lost, doubled or put in. */
export interface Mutation {
  readonly direction: Direction;
  readonly kind: "change" | "lose" | "double" | "insert";
  /** Where, as a share of the direction's octets. */
  readonly at: number;
  readonly octets: Uint8Array;
}

export const mutation: fc.Arbitrary<Mutation> = fc.record({
  direction,
  kind: fc.constantFrom("change", "lose", "double", "insert"),
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  octets: fc.uint8Array({ minLength: 1, maxLength: 12 }),
});

/** The transcript with the damage done; turns keep their order. */
export function mutate({ octets, turns }: Transcript, { direction: side, kind, at, octets: extra }: Mutation): Transcript {
  const old = octets[side];
  const from = Math.floor(at * old.length);
  const to = Math.min(old.length, from + extra.length);
  const middle =
    kind === "change" || kind === "insert"
      ? extra
      : kind === "double"
        ? Buffer.concat([old.subarray(from, to), old.subarray(from, to)])
        : new Uint8Array(0);
  const changed = Buffer.concat([old.subarray(0, from), middle, old.subarray(kind === "insert" ? from : to)]);
  const grown = changed.length - old.length;
  // Borders behind the damage move with it; a turn that lost all its octets is gone.
  const moved = (border: number): number => (border <= from ? border : Math.max(from, Math.min(changed.length, border + grown)));
  const kept = turns
    .map((turn) => (turn.direction === side ? { ...turn, start: moved(turn.start), end: moved(turn.end) } : turn))
    .filter((turn) => turn.end > turn.start);
  const last = kept.findLast((turn) => turn.direction === side);
  const covered = last?.end ?? 0;
  const rest = covered < changed.length ? [{ direction: side, start: covered, end: changed.length }] : [];
  return { octets: side === C2S ? [changed, octets[S2C]] : [octets[C2S], changed], turns: [...kept, ...rest] };
}

/** Ends of chunks for a direction of this many octets. */
export function cutsFor(length: number, shares: readonly number[]): readonly number[] {
  const ends = new Set(shares.map((share) => 1 + Math.floor(share * Math.max(0, length - 1))));
  ends.add(length);
  return [...ends].filter((end) => end > 0 && end <= length).sort((a, b) => a - b);
}
