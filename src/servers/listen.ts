import type { Server } from "node:net";
import type { ServerAddress } from "./running-server.ts";

/**
 * Listen, and resolve to the port.
 * @throws (rejects with) the system's error, such as EADDRINUSE.
 */
export function listen(server: Server, { host, port }: ServerAddress): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.removeListener("error", reject);
      const address = server.address();
      if (address === null || typeof address === "string") throw new TypeError("a TCP server has a port");
      resolve(address.port);
    });
  });
}
