import { type TestContext, test } from "node:test";
import type { ClientReads } from "../../src/proxy/accepted-socket.ts";

/** Every way to read a client's socket: the relay is the same relay in each. */
const CLIENT_READS = ["buffers", "streams"] as const satisfies readonly ClientReads[];

/** Register a test once for each way. @param run takes the way as options for `startRelay`. */
export function testEachRead(
  name: string,
  run: (t: TestContext, reads: { readonly clientReads: ClientReads }) => Promise<void>,
): void {
  for (const clientReads of CLIENT_READS) test(`${name} (client read by ${clientReads})`, (t) => run(t, { clientReads }));
}
