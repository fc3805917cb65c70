import type { AddressInfo, Server } from "node:net";
import type { TestContext } from "node:test";

/** Lets a server listen on a free port of 127.0.0.1 until the test ends. */
export async function listenFor(t: TestContext, server: Server): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  t.after(() => {
    server.close();
  });
  return (server.address() as AddressInfo).port;
}
