import { createServer, type Server } from "node:http";
import { listen } from "./listen.ts";
import { CLOSE_GRACE_MS, type RunningServer, type ServerAddress } from "./running-server.ts";
import { serveItem } from "./serve-item.ts";

/** The Item service as JSON over HTTP/1.1. Rejects with the system's error when it cannot listen. */
export async function startHttp1Server(address: ServerAddress): Promise<RunningServer> {
  // The idle time is on the wire ("Keep-Alive: timeout=5"): fixed here, so that another Node version sends the same octets.
  const server = createServer({ keepAliveTimeout: 5000 }, (request, response) => void serveItem(request, response));
  const port = await listen(server, address);
  return { port, close: () => close(server) };
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const cutOff = setTimeout(() => server.closeAllConnections(), CLOSE_GRACE_MS);
    server.close(() => {
      clearTimeout(cutOff);
      resolve();
    });
    server.closeIdleConnections();
  });
}
