import { createServer, type Server, type Socket } from "node:net";

/** RFC 9113 §3.4. */
const PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
const SETTINGS = 0x04;
const ACK = 0x01;
const GOAWAY = 0x07;
const FRAME_HEADER_OCTETS = 9;

const SWITCHING = "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n";
const EMPTY_SETTINGS = Buffer.from("000000040000000000", "hex");
const SETTINGS_ACK = Buffer.from("000000040100000000", "hex");
/** HEADERS, END_HEADERS, stream 1: `:status 200` (index 8), `content-length: 9` (literal without indexing, name index 28). */
const HEADERS = Buffer.from("00000501040000000188" + "0f0d" + "0139", "hex");
/** DATA, END_STREAM, stream 1. */
const DATA = Buffer.concat([Buffer.from("000009000100000001", "hex"), Buffer.from("upgraded\n")]);

/**
 * A server that accepts `Upgrade: h2c` (RFC 7540 §3.2; RFC 9113 §3.1 retires it, clients still ask): it answers the HTTP/1.1 request
 * on stream 1 and goes on as an HTTP/2 server that acknowledges SETTINGS. Written down in octets, so that it owes nothing to the
 * project's own frame writer.
 */
export function upgradeServer(): Server {
  return createServer((socket) => {
    socket.setNoDelay(true);
    socket.on("error", () => undefined);
    let held = Buffer.alloc(0);
    let upgraded = false;
    socket.on("data", (octets) => {
      held = Buffer.concat([held, octets]);
      if (!upgraded) {
        const end = held.indexOf("\r\n\r\n");
        if (end === -1) return;
        held = held.subarray(end + 4);
        upgraded = true;
        socket.write(Buffer.concat([Buffer.from(SWITCHING), EMPTY_SETTINGS, HEADERS, DATA]));
      }
      if (held.length < PREFACE.length) return;
      if (held.toString("latin1", 0, PREFACE.length) === PREFACE) held = held.subarray(PREFACE.length);
      held = takeFrames(held, socket);
    });
  });
}

/** Acknowledges SETTINGS, closes at GOAWAY. @returns what is left of an unfinished frame. */
function takeFrames(octets: Buffer, socket: Socket): Buffer<ArrayBuffer> {
  let at = 0;
  while (octets.length - at >= FRAME_HEADER_OCTETS) {
    const end = at + FRAME_HEADER_OCTETS + octets.readUIntBE(at, 3);
    if (end > octets.length) break;
    const type = octets[at + 3];
    if (type === SETTINGS && octets[at + 4] !== ACK) socket.write(SETTINGS_ACK);
    if (type === GOAWAY) socket.end();
    at = end;
  }
  return Buffer.from(octets.subarray(at));
}
