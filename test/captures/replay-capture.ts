import type { ByteSource } from "../../src/capture/byte-source.ts";
import { CaptureFile } from "../../src/capture/capture-file.ts";
import { CaptureLedger } from "../../src/capture/capture-ledger.ts";
import { Dissector } from "../../src/capture/dissect/dissector.ts";
import type { TcpLimits } from "../../src/capture/tcp/limits.ts";
import { TcpTracker } from "../../src/capture/tcp/tcp-tracker.ts";
import type { TcpSegment } from "../../src/capture/tcp-segment.ts";
import { C2S, S2C } from "../../src/decode/direction.ts";
import type { Schemas } from "../../src/decode/protobuf/message-type.ts";
import type { LedgerListener } from "../../src/ledger/listener.ts";
import type { Tally } from "../../src/ledger/tally.ts";
import { Redactor } from "../../src/views/redact.ts";
import { createTheme } from "../../src/views/theme.ts";
import { Trace } from "../../src/views/trace/trace.ts";
import type { CaptureEntry } from "./catalogue.ts";

/** What a capture comes to. */
export interface Replayed {
  readonly trace: string;
  readonly tally: Tally;
}

/** The segments of a capture, copied. Throws when it is damaged, or has something that is no segment. */
export async function segmentsOf(octets: Uint8Array, pieceOctets = octets.length): Promise<TcpSegment[]> {
  const segments: TcpSegment[] = [];
  const refuse = (code: string): void => {
    throw new Error(`the capture is not what it was: ${code}`);
  };
  const dissector = new Dissector({
    segment: (segment) => {
      const { source, destination, payload } = segment;
      segments.push({ ...segment, source: source.slice(), destination: destination.slice(), payload: payload.slice() });
    },
    note: refuse,
  });
  const file = new CaptureFile(inPieces(octets, pieceOctets), { packet: (packet) => dissector.packet(packet), note: refuse });
  while (await file.step());
  if (dissector.counts.packets !== segments.length) refuse("a packet without TCP");
  return segments;
}

/** A source of what is in memory. */
function inPieces(octets: Uint8Array, pieceOctets: number): ByteSource {
  let at = 0;
  return {
    name: "memory",
    size: octets.length,
    read() {
      const piece = octets.subarray(at, at + pieceOctets);
      at += piece.length;
      return Promise.resolve(piece.length === 0 ? null : piece);
    },
    close: () => Promise.resolve(),
  };
}

/** Segments through TCP and the ledger, as they are traced and counted. */
export function replay(
  { name, level }: CaptureEntry,
  segments: readonly TcpSegment[],
  schemas: Schemas,
  limits: Partial<TcpLimits> = {},
): Replayed {
  let trace = "";
  const write = (lines: string): void => {
    trace += lines;
  };
  const listenerFor = (startedNs: bigint): LedgerListener =>
    new Trace({ level, time: "rel", notes: true, redactor: new Redactor(), theme: createTheme(0), startedNs, write });
  const tally = count(name, segments, schemas, listenerFor, limits);
  return { trace, tally };
}

/** Where frames, heads, chunks … end, as offsets in the payloads of all segments of one connection, one after the other. */
export function unitBorders({ name }: CaptureEntry, segments: readonly TcpSegment[], schemas: Schemas): number[] {
  const ends: [number[], number[]] = [[], []];
  count(name, segments, schemas, () => ({
    ...{ detail: 1, messages: false, connection() {}, message() {}, exchange() {}, note() {}, close() {} },
    unit: (_, { direction, offset, octets }) => ends[direction].push(offset + octets),
  }));
  const borders: number[] = [];
  const seen = [0, 0];
  let start = 0;
  for (const { sourcePort, payload } of segments) {
    const direction = sourcePort === segments[0]?.sourcePort ? C2S : S2C;
    const from = seen[direction] ?? 0;
    seen[direction] = from + payload.length;
    for (const end of ends[direction]) if (end > from && end <= from + payload.length) borders.push(start + end - from);
    start += payload.length;
  }
  return borders;
}

function count(
  name: string,
  segments: readonly TcpSegment[],
  schemas: Schemas,
  listenerFor: (startedNs: bigint) => LedgerListener,
  limits: Partial<TcpLimits> = {},
): Tally {
  const ledger = new CaptureLedger({
    // The version of the program is not the capture's.
    generator: { name: "wiretally", version: "0" },
    files: [`${name}.pcapng`],
    listenerFor,
    schemas,
    decodeAs: new Map(),
  });
  const tracker = new TcpTracker(ledger, limits);
  for (const segment of segments) {
    ledger.packet(segment.timeNs);
    tracker.segment(segment);
  }
  tracker.end();
  return ledger.tally();
}
