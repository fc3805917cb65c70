import { UsageError } from "../proxy/listen-spec.ts";
import { COMMANDS, type CommandName, isCommandName, optionNames } from "./commands.ts";
import { didYouMean } from "./suggest.ts";
import { parseChoice } from "./values.ts";

const COMMAND_NAMES = Object.keys(COMMANDS);

/**
 * What yargs found wrong, as one line that says what to try.
 * @param message yargs's own words, in English. @param argv the words of the command line.
 */
export function usageError(message: string, argv: readonly string[]): UsageError {
  const command = argv.find(isCommandName);
  const unknown = /^Unknown (?:argument|command)s?: ([^,\n]+)/.exec(message)?.[1];
  if (unknown !== undefined) return new UsageError(unknownText(unknown, argv, command));
  const missing = /^Not enough arguments following: (\S+)/.exec(message)?.[1];
  if (missing !== undefined) return new UsageError(`${dashed(missing)} needs a value`);
  if (message.startsWith("Not enough non-option arguments")) {
    return new UsageError(`${command ?? "the command"} needs an argument (try wiretally ${command ?? ""} --help)`);
  }
  return choiceError(message) ?? new UsageError(message.replaceAll(/\s*\n\s*/g, " "));
}

function unknownText(name: string, argv: readonly string[], command: CommandName | undefined): string {
  const typed = argv.find((word) => word.startsWith("-") && word.replace(/^-+(no-)?/, "").split("=")[0] === name);
  if (typed !== undefined || name.length === 1) {
    return `unknown option ${typed?.split("=")[0] ?? dashed(name)}${didYouMean(name, optionNames(command), "--")}`;
  }
  if (command !== undefined) return `${command} takes no ${JSON.stringify(name)} (try wiretally ${command} --help)`;
  return `unknown command ${name}${didYouMean(name, COMMAND_NAMES) || ` (one of ${COMMAND_NAMES.join(", ")})`}`;
}

/** yargs lists a wrong choice over several lines. */
function choiceError(message: string): UsageError | undefined {
  const found = /Argument: (\S+), Given: "(.*?)", Choices: (.*)/.exec(message);
  if (found === null) return undefined;
  const [, option = "", given = "", list = ""] = found;
  const choices = list.split(", ").map((choice) => choice.replaceAll('"', ""));
  try {
    parseChoice(dashed(option), given, choices);
    return undefined;
  } catch (error) {
    return error instanceof UsageError ? error : undefined;
  }
}

function dashed(name: string): string {
  return name.length === 1 ? `-${name}` : `--${name}`;
}
