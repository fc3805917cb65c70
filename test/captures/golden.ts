import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { loadSchemas } from "../../src/decode/protobuf/load-schemas.ts";
import type { Schemas } from "../../src/decode/protobuf/message-type.ts";
import type { Octets, Tally } from "../../src/ledger/tally.ts";
import { Redactor } from "../../src/views/redact.ts";
import { tallyJson } from "../../src/views/tally-json.ts";
import { type CaptureEntry, capturePaths } from "./catalogue.ts";
import { type Replayed, replay, segmentsOf } from "./replay-capture.ts";

/** What stands in captures/ beside a capture: NAME.trace.txt and NAME.tally.json. */
export interface Golden {
  readonly trace: string;
  readonly tally: string;
}

/** The golden files as they should be. @param folder of the captures, with its slash. */
export async function makeGolden(entry: CaptureEntry, folder?: string): Promise<Golden & { readonly replayed: Replayed }> {
  const segments = await segmentsOf(readFileSync(capturePaths(entry.name, folder).capture));
  const replayed = replay(entry, segments, await itemSchemas());
  return { trace: replayed.trace, tally: tallyText(replayed.tally), replayed };
}

/** The golden files as they are. Throws when one is missing. */
export function readGolden(name: string): Golden {
  const { trace, tally } = capturePaths(name);
  return { trace: readFileSync(trace, "utf8"), tally: readFileSync(tally, "utf8") };
}

export function tallyText(tally: Tally): string {
  return tallyJson(tally, new Redactor());
}

/** The demo's schemas, which all gRPC captures speak. */
export function itemSchemas(): Promise<Schemas> {
  const folder = fileURLToPath(new URL("../../proto", import.meta.url));
  return loadSchemas({ files: ["item/v1/item_streams.proto"], includeDirs: [folder] });
}

/** HTTP/2 frames of a tally, by the octets of their headers (RFC 9113 §4.1). */
export function h2Frames(tally: Tally): number {
  const FRAME_HEADER_OCTETS = 9;
  const headers = ({ by_category: parts }: Octets): number =>
    Object.entries(parts)
      .filter(([category]) => category.startsWith("h2.frame_header."))
      .reduce((sum, [, octets]) => sum + octets, 0);
  return (headers(tally.totals.c2s) + headers(tally.totals.s2c)) / FRAME_HEADER_OCTETS;
}
