import { connect, createServer, type Server, Socket, type SocketConstructorOpts } from "node:net";
import { ReadBuffer } from "./read-buffer.ts";

/**
 * How accepted sockets are read: into a buffer that is used again, or as an ordinary stream, where Node makes a new buffer of 64 KiB for
 * every read.
 */
export type ClientReads = "buffers" | "streams";

/** An accepted socket, not read from so far. */
export interface Accepted {
  readonly socket: Socket;
  /** What the socket reads into; null: it is read as a stream. */
  readonly buffer: ReadBuffer | null;
}

/** What this file assumes of Node, and Node does not document. */
interface ServerHandle {
  /** Called by libuv's binding for each accept. @param status 0, or a negative errno, and then there is no socket's handle. */
  onconnection: (this: unknown, status: number, handle: object | undefined) => void;
}

/** Longer than a round trip on loopback takes on any machine that is not standing still. */
const TRIAL_MS = 500;
const QUESTION = "octets that a client sends before it is read from";
const ANSWER = "and what it is answered";

let trial: Promise<ClientReads> | null = null;

/**
 * Tell every connection that a listening server accepts, with half-closes allowed, without delay, paused.
 *
 * `onread` is documented for outgoing sockets only. For accepted ones three undocumented things are relied on: a listening `Server` has
 * its libuv handle in `_handle`; the handle calls its property `onconnection` for each accept; and `net.Socket` takes `handle` (which
 * Node itself passes there) together with `onread` and `pauseOnCreate`. Tried on Node 20.20, 22.23, 24.21 and 26.10. What has not that
 * shape is accepted in the ordinary way, as are errors.
 * @param server with pauseOnConnect, allowHalfOpen and noDelay, and listening.
 */
export function onAccepted(server: Server, reads: ClientReads, tell: (accepted: Accepted) => void): void {
  server.on("connection", (socket) => tell({ socket, buffer: null }));
  if (reads === "streams" || !("_handle" in server)) return;
  const listening = server._handle;
  if (!isServerHandle(listening)) return;
  const ordinary = listening.onconnection;
  listening.onconnection = function (status, handle) {
    if (status !== 0 || handle === undefined) {
      ordinary.call(this, status, handle);
      return;
    }
    const buffer = new ReadBuffer();
    const options = { handle, allowHalfOpen: true, pauseOnCreate: true, onread: buffer.onread };
    const socket = new Socket(options as SocketConstructorOpts);
    socket.setNoDelay(true);
    tell({ socket, buffer });
  };
}

/**
 * The best way that works here. The first call tries buffers on a connection to this process over loopback, which takes some
 * milliseconds; its answer is kept for the life of the process. Never rejects.
 */
export function bestClientReads(): Promise<ClientReads> {
  trial ??= tryBuffers().then((works) => (works ? "buffers" : "streams"));
  return trial;
}

function isServerHandle(handle: unknown): handle is ServerHandle {
  return typeof handle === "object" && handle !== null && "onconnection" in handle && typeof handle.onconnection === "function";
}

/** Both ways with FINs, the question sent before anything reads, the reader stopped after its first read. */
function tryBuffers(): Promise<boolean> {
  return new Promise((resolve) => {
    const sockets: Socket[] = [];
    const server = createServer({ allowHalfOpen: true, pauseOnConnect: true, noDelay: true });
    const timer = setTimeout(() => finish(false), TRIAL_MS);
    const finish = (works: boolean) => {
      clearTimeout(timer);
      server.close();
      for (const socket of sockets) socket.destroy();
      resolve(works);
    };
    const fail = () => finish(false);
    server.on("error", fail);
    server.listen({ port: 0, host: "127.0.0.1" }, () => {
      const address = server.address();
      if (typeof address !== "object" || address === null) return fail();
      const client = connect({ port: address.port, host: "127.0.0.1", allowHalfOpen: true });
      sockets.push(client);
      client.on("error", fail);
      client.end(QUESTION);
      let answer = "";
      client.setEncoding("latin1").on("data", (text: string) => {
        answer += text;
      });
      onAccepted(server, "buffers", ({ socket, buffer }) => {
        sockets.push(socket);
        socket.on("error", fail);
        if (buffer === null || socket.remotePort !== client.localPort) return fail();
        let question = "";
        buffer.reader = (chunk) => {
          question += Buffer.from(chunk).toString("latin1");
          setImmediate(() => socket.resume());
          return false;
        };
        socket.on("end", () => socket.end(ANSWER));
        client.on("end", () => finish(question === QUESTION && answer === ANSWER));
        socket.resume();
      });
    });
  });
}
