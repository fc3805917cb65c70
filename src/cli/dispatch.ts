import yargs, { type Argv } from "yargs";
import { GENERATOR } from "../proxy/version.ts";
import { asksCompletions, detachValues, readCommandLine } from "./command-line.ts";
import { COMMANDS } from "./commands.ts";
import { EXIT } from "./exit-codes.ts";
import { COMMON_FLAGS } from "./flags.ts";
import type { RawValues } from "./layers.ts";
import type { Streams } from "./streams.ts";
import { usageError } from "./usage.ts";

/**
 * Run the command that a command line names, each with nothing loaded but what it needs. Resolves to the exit code; rejects with a
 * UsageError, or with what the command failed of.
 */
export async function dispatch(argv: readonly string[], streams: Streams): Promise<number> {
  let code: number = EXIT.done;
  const { proxy, read, serve, demo, schema, completion } = COMMANDS;
  await commandLine(asksCompletions(argv) ? argv : detachValues(argv))
    .command(proxy.usage, proxy.describe, withFlags(proxy.flags), async (flags) => {
      const { proxyCommand } = await import("./commands/proxy.ts");
      code = await proxyCommand(flags, streams);
    })
    .command(read.usage, read.describe, withFlags(read.flags), async (flags) => {
      const { readCommand } = await import("./commands/read.ts");
      // yargs loses a word that is nothing but a dash.
      code = await readCommand({ ...flags, file: readCommandLine(argv).words.slice(1) }, streams);
    })
    .command(serve.usage, serve.describe, withFlags(serve.flags), async (flags) => {
      const { serveCommand } = await import("./commands/serve.ts");
      code = await serveCommand(flags, streams);
    })
    .command(demo.usage, demo.describe, withFlags(demo.flags), async (flags) => {
      const { demoCommand } = await import("./commands/demo.ts");
      code = await demoCommand(flags, streams);
    })
    .command(schema.usage, schema.describe, withWord("name"), async (flags) => {
      const { schemaCommand } = await import("./commands/schema.ts");
      code = await schemaCommand(String((flags as RawValues)["name"]), streams);
    })
    .command(completion.usage, completion.describe, withWord("shell"), async (flags) => {
      const { completionCommand } = await import("./commands/completion.ts");
      code = await completionCommand((flags as RawValues)["shell"], streams);
    })
    .parseAsync();
  return code;
}

function commandLine(argv: readonly string[]): Argv {
  const parser = yargs(argv)
    .scriptName("wiretally")
    .locale("en")
    .parserConfiguration({
      "camel-case-expansion": false,
      "dot-notation": false,
      "greedy-arrays": false,
      "parse-numbers": false,
      "parse-positional-numbers": false,
    })
    .options(COMMON_FLAGS)
    .version(GENERATOR.version)
    .alias("help", "h")
    .demandCommand(1, "no command (try wiretally demo, or wiretally --help)")
    .strict()
    .exitProcess(false);
  // A handler that does not throw would let the command run all the same.
  return parser.fail((message, error: Error | undefined) => {
    if (error === undefined || error.name === "YError") throw usageError(error?.message ?? message, argv);
    throw error;
  });
}

function withFlags(flags: Parameters<Argv["options"]>[0]): (parser: Argv) => Argv {
  return (parser) => parser.options(flags);
}

function withWord(name: string): (parser: Argv) => Argv {
  return (parser) => parser.positional(name, { type: "string" });
}
