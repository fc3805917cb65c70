import { readFileSync } from "node:fs";

/**
 * The TCP payload of the first connection of a small capture without loss or reordering: pcap (microseconds, little-endian) or
 * pcapng (one little-endian section), Ethernet, IPv4. Test set-up only.
 * @param serverPort tells the directions apart.
 */
export function tcpPayloads(path: string, serverPort: number): readonly [c2s: Uint8Array, s2c: Uint8Array] {
  const bytes = readFileSync(path);
  const directions: [Buffer[], Buffer[]] = [[], []];
  let client = -1;
  for (const packet of bytes.readUInt32LE(0) === 0x0a0d0d0a ? pcapngPackets(bytes) : pcapPackets(bytes)) {
    if (packet.readUInt16BE(12) !== 0x0800 || packet[23] !== 6) continue;
    const tcp = 14 + 4 * ((packet[14] ?? 0) & 0x0f);
    const [source, target] = [packet.readUInt16BE(tcp), packet.readUInt16BE(tcp + 2)];
    if (client < 0) client = source === serverPort ? target : source;
    if (source !== client && target !== client) continue;
    const payload = packet.subarray(tcp + 4 * ((packet[tcp + 12] ?? 0) >> 4), 14 + packet.readUInt16BE(16));
    directions[source === client ? 0 : 1].push(payload);
  }
  return [Buffer.concat(directions[0]), Buffer.concat(directions[1])];
}

function* pcapPackets(bytes: Buffer): Generator<Buffer> {
  for (let at = 24; at < bytes.length; at += 16 + bytes.readUInt32LE(at + 8)) {
    yield bytes.subarray(at + 16, at + 16 + bytes.readUInt32LE(at + 8));
  }
}

function* pcapngPackets(bytes: Buffer): Generator<Buffer> {
  const ENHANCED_PACKET = 6;
  for (let at = 0; at < bytes.length; at += bytes.readUInt32LE(at + 4)) {
    if (bytes.readUInt32LE(at) === ENHANCED_PACKET) yield bytes.subarray(at + 28, at + 28 + bytes.readUInt32LE(at + 20));
  }
}
