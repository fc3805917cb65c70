import { commandLayers } from "../command-layers.ts";
import type { RawValues } from "../layers.ts";
import { proxyOptions } from "../proxy-options.ts";
import type { Streams } from "../streams.ts";
import { runProxy } from "./run-proxy.ts";

/** `wiretally proxy`: reads the options from all places, then runs. Resolves to the exit code. */
export async function proxyCommand(given: RawValues, streams: Streams): Promise<number> {
  return runProxy(proxyOptions(await commandLayers(given, streams)), streams);
}
