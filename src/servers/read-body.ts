import type { Readable } from "node:stream";

/**
 * Read a message body to its end.
 * @param maxOctets past it the rest is read and dropped, so that the peer can finish sending and see the answer.
 * @returns the octets; null past `maxOctets`; undefined when the peer went away first.
 */
export function readBody(source: Readable, maxOctets: number): Promise<Buffer | null | undefined> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let octets = 0;
    source.on("data", (chunk: Buffer) => {
      octets += chunk.length;
      if (octets <= maxOctets) chunks.push(chunk);
      else chunks.length = 0;
    });
    source.once("end", () => resolve(octets <= maxOctets ? Buffer.concat(chunks) : null));
    // Without a listener an aborted upload would be an uncaught error; "close" follows it.
    source.on("error", () => {});
    source.once("close", () => resolve(undefined));
  });
}
