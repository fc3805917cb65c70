import yargs, { type Argv } from "yargs";
import { UsageError } from "../proxy/listen-spec.ts";
import { GENERATOR } from "../proxy/version.ts";
import { detachValues, readCommandLine } from "./command-line.ts";
import { COMMANDS, isCommandName } from "./commands.ts";
import { oneLine } from "./errors.ts";
import { EXIT } from "./exit-codes.ts";
import { COMMON_FLAGS } from "./flags.ts";
import { helpPage } from "./help.ts";
import type { RawValues } from "./layers.ts";
import { narrate, type Streams, writeResult } from "./streams.ts";
import { usageError } from "./usage.ts";

/** What a completion script asks for; yargs answers. */
const ASKS_COMPLETIONS = "--get-yargs-completions";

/** Run one command line. @param argv without node and the script. @returns the exit code; what went wrong was told on stderr. */
export async function run(argv: readonly string[], streams: Streams): Promise<number> {
  try {
    return await attempt(argv, streams);
  } catch (error) {
    const usage = error instanceof UsageError;
    narrate(streams, usage ? error.message : oneLine(error));
    return usage ? EXIT.usage : EXIT.failed;
  }
}

async function attempt(argv: readonly string[], streams: Streams): Promise<number> {
  if (argv[0] !== ASKS_COMPLETIONS) {
    const { words, help, version } = readCommandLine(argv);
    const [page] = words.filter(isCommandName);
    if (help || version) {
      await writeResult(streams, help ? helpPage(page, streams.stdout.columns) : `${GENERATOR.version}\n`);
      return EXIT.done;
    }
  }
  let code: number = EXIT.done;
  // What a command needs is loaded when it runs, so that --help and usage errors come at once.
  const { proxy, read, serve, demo, schema, completion } = COMMANDS;
  await commandLine(argv[0] === ASKS_COMPLETIONS ? argv : detachValues(argv))
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
