import { UsageError } from "../proxy/listen-spec.ts";
import { GENERATOR } from "../proxy/version.ts";
import { asksCompletions, readCommandLine } from "./command-line.ts";
import { isCommandName } from "./commands.ts";
import { oneLine } from "./errors.ts";
import { EXIT } from "./exit-codes.ts";
import { helpPage } from "./help.ts";
import { narrate, type Streams, writeResult } from "./streams.ts";

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
  if (!asksCompletions(argv)) {
    const { words, help, version } = readCommandLine(argv);
    const [page] = words.filter(isCommandName);
    if (help || version) {
      await writeResult(streams, help ? helpPage(page, streams.stdout.columns) : `${GENERATOR.version}\n`);
      return EXIT.done;
    }
  }
  // yargs and what a command needs are loaded when they are used, so that --help comes at once.
  const { dispatch } = await import("./dispatch.ts");
  return dispatch(argv, streams);
}
