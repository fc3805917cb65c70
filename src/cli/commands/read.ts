import { commandLayers } from "../command-layers.ts";
import type { RawValues } from "../layers.ts";
import { readOptions } from "../read-options.ts";
import type { Streams } from "../streams.ts";
import { runRead } from "./run-read.ts";

/** `wiretally read`: reads the options from all places, then runs. Resolves to the exit code. */
export async function readCommand(given: RawValues, streams: Streams): Promise<number> {
  return runRead(readOptions(await commandLayers(given, streams)), streams);
}
