import yargs, { type Argv } from "yargs";
import { UsageError } from "../proxy/listen-spec.ts";
import { GENERATOR } from "../proxy/version.ts";
import { oneLine } from "./errors.ts";
import { EXIT } from "./exit-codes.ts";
import { COMMON_FLAGS, DEMO_FLAGS, PROXY_FLAGS, SERVE_FLAGS } from "./flags.ts";
import { helpFooter } from "./help.ts";
import type { RawValues } from "./layers.ts";
import { narrate, type Streams } from "./streams.ts";
import { usageError } from "./usage.ts";

const MAX_HELP_COLUMNS = 110;

/** Run one command line. @param argv without node and the script. @returns the exit code; what went wrong was told on stderr. */
export async function run(argv: readonly string[], streams: Streams): Promise<number> {
  let code: number = EXIT.done;
  // What a command needs is loaded when it runs, so that --help and usage errors come at once.
  const parser = commandLine(argv, streams.stdout.columns)
    .command("proxy", "listen, relay, and count every octet", withFlags("proxy", PROXY_FLAGS), async (flags) => {
      const { proxyCommand } = await import("./commands/proxy.ts");
      code = await proxyCommand(flags, streams);
    })
    .command("serve", "the demo servers: gRPC, HTTP/1.1 JSON, HTTP/2 JSON", withFlags("serve", SERVE_FLAGS), async (flags) => {
      const { serveCommand } = await import("./commands/serve.ts");
      code = await serveCommand(flags, streams);
    })
    .command("demo", "servers, proxy and clients in one go: gRPC against JSON", withFlags("demo", DEMO_FLAGS), async (flags) => {
      const { demoCommand } = await import("./commands/demo.ts");
      code = await demoCommand(flags, streams);
    })
    .command("schema <name>", "print the JSON Schema of a document: tally or event", schemaBuilder, async (flags) => {
      const { schemaCommand } = await import("./commands/schema.ts");
      code = await schemaCommand(String((flags as RawValues)["name"]), streams);
    });
  try {
    await parser.parseAsync();
    return code;
  } catch (error) {
    const usage = error instanceof UsageError;
    narrate(streams, usage ? error.message : oneLine(error));
    return usage ? EXIT.usage : EXIT.failed;
  }
}

function commandLine(argv: readonly string[], columns: number | undefined): Argv {
  const parser = yargs(argv)
    .scriptName("wiretally")
    .locale("en")
    .parserConfiguration({ "greedy-arrays": false, "parse-numbers": false, "parse-positional-numbers": false })
    .usage("$0 <command>: says what every octet on the wire was for")
    .options(COMMON_FLAGS)
    .version(GENERATOR.version)
    .alias("help", "h")
    .demandCommand(1, "no command (try wiretally demo, or wiretally --help)")
    .strict()
    .completion("completion", "print a completion script for bash or zsh")
    .epilogue(helpFooter("wiretally"))
    .wrap(Math.min(columns ?? MAX_HELP_COLUMNS, MAX_HELP_COLUMNS))
    .exitProcess(false);
  // A handler that does not throw would let the command run all the same.
  return parser.fail((message, error: Error | undefined) => {
    if (error === undefined || error.name === "YError") throw usageError(error?.message ?? message, argv);
    throw error;
  });
}

function withFlags(command: string, flags: Parameters<Argv["options"]>[0]): (parser: Argv) => Argv {
  // A command's own page begins anew: what stands below every page is said again.
  return (parser) => parser.options(flags).epilogue(helpFooter(command));
}

function schemaBuilder(parser: Argv): Argv {
  return withFlags("schema", {})(parser).positional("name", { type: "string", describe: "tally or event" });
}
