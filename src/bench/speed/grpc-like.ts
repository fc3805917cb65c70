import {
  concatOctets,
  type FieldToEncode,
  HpackEncoder,
  PREFACE,
  writeData,
  writeHeaders,
  writePing,
  writeSettings,
  writeSettingsAck,
  writeWindowUpdate,
} from "http2-frame-parser";

/** The gRPC prefix and 20 octets of protobuf: `{1: 1234567890, 2: "widget-01", 3: 12345}`. */
const MESSAGE = Uint8Array.from(Buffer.from(`000000001408d285d8cc0412097769646765742d303118b960`, "hex"));

const REQUEST: readonly FieldToEncode[] = [
  { name: ":method", value: "POST" },
  { name: ":scheme", value: "http" },
  { name: ":path", value: "/item.v1.ItemService/Echo" },
  { name: ":authority", value: "127.0.0.1:50051" },
  { name: "te", value: "trailers" },
  { name: "content-type", value: "application/grpc" },
  { name: "user-agent", value: "grpc-bench/1" },
];
const RESPONSE: readonly FieldToEncode[] = [
  { name: ":status", value: "200" },
  { name: "content-type", value: "application/grpc" },
];
const TRAILERS: readonly FieldToEncode[] = [
  { name: "grpc-status", value: "0" },
  { name: "grpc-message", value: "" },
];
const CALLS_PER_PING = 10;

/** The client's side of a connection that makes one small gRPC call after another. Stream identifiers go up by 2. */
export class GrpcLikeClient {
  readonly #hpack = new HpackEncoder();
  #calls = 0;

  /** What the connection begins with. */
  opening(): Uint8Array {
    return concatOctets([PREFACE, writeSettings([])]);
  }

  /** The next calls: HEADERS, DATA of 25 octets and WINDOW_UPDATE each, and a PING now and then. */
  calls(count: number): Uint8Array {
    return concatOctets(Array.from({ length: count }, () => this.#call()));
  }

  #call(): Uint8Array {
    const call = this.#calls++;
    const stream = 2 * call + 1;
    // A deadline differs from call to call, and is not worth a place in the table.
    const timeout: FieldToEncode = { name: "grpc-timeout", value: `${900_000 + (call % 90_000)}u`, representation: "literal" };
    const frames = [
      writeHeaders(stream, this.#hpack.encode([...REQUEST, timeout])),
      writeData(stream, MESSAGE, { endStream: true }),
      writeWindowUpdate(0, MESSAGE.length),
    ];
    if (call % CALLS_PER_PING === 0) frames.push(writePing(new Uint8Array(8)));
    return concatOctets(frames);
  }
}

/** The server's side of the same connection. */
export class GrpcLikeServer {
  readonly #hpack = new HpackEncoder();
  #answers = 0;

  opening(): Uint8Array {
    return concatOctets([writeSettings([]), writeSettingsAck()]);
  }

  /** Answers to the next calls: WINDOW_UPDATE, HEADERS, DATA, trailers, and the answer to a PING. */
  answers(count: number): Uint8Array {
    return concatOctets(Array.from({ length: count }, () => this.#answer()));
  }

  #answer(): Uint8Array {
    const call = this.#answers++;
    const stream = 2 * call + 1;
    const frames = [
      writeWindowUpdate(0, MESSAGE.length),
      writeHeaders(stream, this.#hpack.encode(RESPONSE)),
      writeData(stream, MESSAGE),
      writeHeaders(stream, this.#hpack.encode(TRAILERS), { endStream: true }),
    ];
    if (call % CALLS_PER_PING === 0) frames.push(writePing(new Uint8Array(8), { ack: true }));
    return concatOctets(frames);
  }
}
