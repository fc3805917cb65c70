import type { Side } from "../../conversation.ts";
import { TCP_FLAG, type TcpSegment } from "../../tcp-segment.ts";

/** What a test says of a segment; the rest is as if nothing was special about it. */
export interface SegmentSketch {
  /** Who sends it: 0 is 192.0.2.1:40001, 1 is 198.51.100.2:80. */
  readonly from: Side;
  /** Letters of flags: S, A, F, R, P, U. */
  readonly flags?: string;
  readonly seq: number;
  readonly ack?: number;
  readonly payload?: string | Uint8Array;
  /** Octets of payload by the headers, where the capture has fewer. */
  readonly length?: number;
  /** Milliseconds; null: none. */
  readonly at?: number | null;
  /** Another port of the first endpoint. */
  readonly port?: number;
  readonly scope?: string;
}

const FLAG_LETTERS = {
  F: TCP_FLAG.fin,
  S: TCP_FLAG.syn,
  R: TCP_FLAG.rst,
  P: TCP_FLAG.psh,
  A: TCP_FLAG.ack,
  U: TCP_FLAG.urg,
} as const;
const ADDRESSES = [Uint8Array.of(192, 0, 2, 1), Uint8Array.of(198, 51, 100, 2)] as const;

/** A segment of Ethernet and IPv4 without options. */
export function segmentOf(sketch: SegmentSketch, packetNumber: number): TcpSegment {
  const ports = [sketch.port ?? 40_001, 80] as const;
  const payload =
    typeof sketch.payload === "string" ? new TextEncoder().encode(sketch.payload) : (sketch.payload ?? new Uint8Array(0));
  const to = sketch.from === 0 ? 1 : 0;
  let flags = 0;
  for (const letter of sketch.flags ?? "A") flags |= FLAG_LETTERS[letter as keyof typeof FLAG_LETTERS];
  return {
    packetNumber,
    timeNs: sketch.at === null ? null : BigInt(sketch.at ?? packetNumber) * 1_000_000n,
    source: ADDRESSES[sketch.from],
    destination: ADDRESSES[to],
    sourcePort: ports[sketch.from],
    destinationPort: ports[to],
    scope: sketch.scope ?? "",
    sequence: sketch.seq >>> 0,
    acknowledgement: (sketch.ack ?? 0) >>> 0,
    flags,
    payload,
    payloadLength: sketch.length ?? payload.length,
    linkOctets: 14,
    ipOctets: 20,
    tcpOctets: 20,
  };
}
