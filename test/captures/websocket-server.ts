import { createHash } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { Duplex } from "node:stream";

/** RFC 6455 §1.3. */
const GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
const FIN = 0x80;
const OPCODE = { close: 0x8, ping: 0x9, pong: 0xa } as const;
const MASK = 0x80;
/** A longer payload has its length in further octets, RFC 6455 §5.2: not in these recordings. */
const SHORT = 125;

/** A server of RFC 6455 for short messages: it greets with a PING, sends each message back, and answers Close. */
export function webSocketServer(): Server {
  const server = createServer((_request, response) => response.writeHead(426, { upgrade: "websocket" }).end());
  server.on("upgrade", (request, socket: Duplex, head: Buffer) => {
    const accept = createHash("sha1").update(`${request.headers["sec-websocket-key"]}${GUID}`).digest("base64");
    const lines = [
      "HTTP/1.1 101 Switching Protocols",
      "Upgrade: websocket",
      "Connection: Upgrade",
      `Sec-WebSocket-Accept: ${accept}`,
    ];
    socket.write(`${lines.join("\r\n")}\r\n\r\n`);
    socket.write(frame(FIN | OPCODE.ping, Buffer.from("there?")));
    let held = head;
    const take = (octets: Buffer): void => {
      held = takeFrames(Buffer.concat([held, octets]), socket);
    };
    socket.on("error", () => undefined).on("data", take);
    socket.on("end", () => socket.end());
    take(Buffer.alloc(0));
  });
  return server;
}

/** Answers whole frames. @returns what is left of an unfinished one. */
function takeFrames(octets: Buffer, socket: Duplex): Buffer {
  let at = 0;
  while (octets.length - at >= 2) {
    const [first = 0, second = 0] = octets.subarray(at);
    const length = second & ~MASK;
    if (length > SHORT || (second & MASK) === 0) throw new Error("a client's frame is short and masked here");
    const end = at + 6 + length;
    if (end > octets.length) break;
    const key = octets.subarray(at + 2, at + 6);
    const payload = octets.subarray(at + 6, end).map((octet, index) => octet ^ key[index % 4]!);
    const opcode = first & 0x0f;
    if (opcode !== OPCODE.pong) socket.write(frame(opcode === OPCODE.ping ? FIN | OPCODE.pong : first, payload));
    if (opcode === OPCODE.close) socket.end();
    at = end;
  }
  return octets.subarray(at);
}

function frame(first: number, payload: Uint8Array): Buffer {
  return Buffer.concat([Uint8Array.of(first, payload.length), payload]);
}
