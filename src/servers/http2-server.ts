import { createServer, type Http2Server, type ServerHttp2Session } from "node:http2";
import { listen } from "./listen.ts";
import { CLOSE_GRACE_MS, type RunningServer, type ServerAddress } from "./running-server.ts";
import { serveItem } from "./serve-item.ts";

/** The Item service as JSON over HTTP/2 without TLS, with prior knowledge. Rejects with the system's error when it cannot listen. */
export async function startHttp2Server(address: ServerAddress): Promise<RunningServer> {
  const server = createServer((request, response) => void serveItem(request, response));
  const sessions = new Set<ServerHttp2Session>();
  server.on("session", (session) => {
    sessions.add(session);
    session.once("close", () => sessions.delete(session));
  });
  const port = await listen(server, address);
  return { port, close: () => close(server, sessions) };
}

function close(server: Http2Server, sessions: ReadonlySet<ServerHttp2Session>): Promise<void> {
  return new Promise((resolve) => {
    const cutOff = setTimeout(() => {
      for (const session of sessions) session.destroy();
    }, CLOSE_GRACE_MS);
    server.close(() => {
      clearTimeout(cutOff);
      resolve();
    });
    for (const session of sessions) session.close();
  });
}
