import { Layers, parseText, type RawValues } from "../layers.ts";
import { proxyOptions } from "../proxy-options.ts";
import type { Streams } from "../streams.ts";
import { runProxy } from "./run-proxy.ts";

/** `wiretally proxy`: reads the options from all places, then runs. Resolves to the exit code. */
export async function proxyCommand(given: RawValues, streams: Streams): Promise<number> {
  // yargs counts to 0 where no -v was given; that is no wish.
  const flags = given["verbose"] === 0 ? { ...given, verbose: undefined } : given;
  const file = new Layers(flags, streams.env).text("config", parseText);
  const layers = new Layers(flags, streams.env, file === undefined ? null : { path: file, values: await readFile(file) });
  return runProxy(proxyOptions(layers), streams);
}

/** Loaded only when there is a file: the YAML reader and the schema take their time. */
async function readFile(path: string): Promise<RawValues> {
  const { readConfig } = await import("../config.ts");
  return readConfig(path);
}
