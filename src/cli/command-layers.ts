import { Layers, parseText, type RawValues } from "./layers.ts";
import type { Streams } from "./streams.ts";

/** The options of a command from all places: its flags, the environment, and the file of --config. Rejects with a UsageError. */
export async function commandLayers(given: RawValues, { env }: Streams): Promise<Layers> {
  // yargs counts to 0 where no -v was given; that is no wish.
  const flags = given["verbose"] === 0 ? { ...given, verbose: undefined } : given;
  const path = new Layers(flags, env).text("config", parseText);
  return path === undefined ? new Layers(flags, env) : new Layers(flags, env, { path, values: await readFile(path) });
}

/** Loaded only when there is a file: the YAML reader and the schema take their time. */
async function readFile(path: string): Promise<RawValues> {
  const { readConfig } = await import("./config.ts");
  return readConfig(path);
}
