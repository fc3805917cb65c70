/** As large as the relay's reads often are. */
const CHUNK_OCTETS = 64 * 1024;

/** Hand `bytes` over in pieces of 64 KiB, as a relay does. */
export function feed(bytes: Uint8Array, push: (bytes: Uint8Array, from: number, to: number) => void): void {
  for (let at = 0; at < bytes.length; at += CHUNK_OCTETS) push(bytes, at, Math.min(at + CHUNK_OCTETS, bytes.length));
}
