import { UsageError } from "../../proxy/listen-spec.ts";
import { EXIT } from "../exit-codes.ts";
import { type Streams, writeResult } from "../streams.ts";
import { didYouMean } from "../suggest.ts";

/** Documents whose schema can be printed. */
const SCHEMAS: Readonly<Record<string, () => Promise<unknown>>> = {
  tally: async () => (await import("../../views/tally-schema.ts")).tallyJsonSchema(),
  event: async () => (await import("../../views/event-schema.ts")).eventJsonSchema(),
  demo: async () => (await import("../../views/demo-schema.ts")).demoJsonSchema(),
};

/** `wiretally schema NAME`. Resolves to the exit code; an unknown name is a UsageError. */
export async function schemaCommand(name: string, streams: Streams): Promise<number> {
  const schema = SCHEMAS[name];
  const names = Object.keys(SCHEMAS);
  if (schema === undefined) {
    throw new UsageError(
      `no schema ${JSON.stringify(name)}, only ${names.slice(0, -1).join(", ")} and ${names.at(-1)}${didYouMean(name, names)}`,
    );
  }
  await writeResult(streams, `${JSON.stringify(await schema(), null, 2)}\n`);
  return EXIT.done;
}
