import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import type { CaptureFacts } from "../src/capture/formats/capture-facts.ts";
import { openCaptureReader } from "../src/capture/formats/open-capture-reader.ts";
import type { CaptureHandler, Packet } from "../src/capture/packet.ts";
import { REQUIRE_ALL, shared } from "./shared.ts";

/** A note as a reader told it. */
export interface CaptureNote {
  readonly code: string;
  readonly severity: "warning" | "info";
  readonly offset: number;
  readonly text: string;
}

/** What a reader delivered, packets copied. */
export interface ReadPackets {
  readonly packets: Packet[];
  readonly notes: CaptureNote[];
}

/** Test set-up: a handler that keeps everything. */
export class PacketRecorder implements CaptureHandler, ReadPackets {
  readonly packets: Packet[] = [];
  readonly notes: CaptureNote[] = [];

  packet(packet: Packet): void {
    this.packets.push({ ...packet, octets: packet.octets.slice() });
  }

  note(code: string, severity: "warning" | "info", offset: number, text: string): void {
    this.notes.push({ code, severity, offset, text });
  }
}

/** Test set-up: read an uncompressed capture, given in pieces. */
export function readPackets(
  ...pieces: readonly Uint8Array[]
): ReadPackets & { readonly facts: CaptureFacts | null; readonly refusal: string | null } {
  const recorder = new PacketRecorder();
  const reader = openCaptureReader(recorder);
  for (const piece of pieces) reader.push(piece);
  reader.end();
  return { packets: recorder.packets, notes: recorder.notes, facts: reader.facts, refusal: reader.refusal };
}

/** The corpora of captures that have truth files. */
export const CAPTURE_CORPORA = [
  "zeek-traces",
  "suricata-verify",
  "ndpi",
  "deepflow",
  "local-thirdparty",
  "pcapplusplus",
  "pcapng-test-generator",
];

/** Paths of the captures of a corpus, `stacks` included. */
export function capturesOf(corpus: string): string[] {
  if (corpus === "stacks") {
    const names = readdirSync(shared("corpora", corpus)).filter((name) => name.endsWith(".pcapng"));
    return names.map((name) => shared("corpora", corpus, name));
  }
  return readdirSync(shared("corpora", corpus, "captures")).map((name) => shared("corpora", corpus, "captures", name));
}

/** The `skip` option of a test that needs a program, as `skipWithoutShared` is for the shared folder. */
export function skipWithoutProgram(program: string): string | false {
  if (spawnSync(program, ["--version"], { stdio: "ignore" }).error === undefined) return false;
  if (REQUIRE_ALL) throw new Error(`${program} is missing and WIRETALLY_REQUIRE_ALL=1`);
  return `${program} is not installed`;
}
