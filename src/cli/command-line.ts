import { UsageError } from "../proxy/listen-spec.ts";
import { COMMON_FLAGS, DEMO_FLAGS, type Flag, PROXY_FLAGS, READ_FLAGS, SERVE_FLAGS } from "./flags.ts";

/** The words of a command line, told apart. */
export interface CommandLine {
  /** Words that are neither options nor an option's value. */
  readonly words: readonly string[];
  readonly help: boolean;
  readonly version: boolean;
}

/** One option as it was typed. */
interface TypedOption {
  /** With its dashes, without its value. */
  readonly typed: string;
  readonly name: string;
  /** What was written onto it, such as `=maybe`'s text; null: nothing. */
  readonly value: string | null;
}

const SWITCH: Flag = { type: "boolean" };
const FLAGS: Readonly<Record<string, Flag>> = {
  ...PROXY_FLAGS,
  ...READ_FLAGS,
  ...SERVE_FLAGS,
  ...DEMO_FLAGS,
  ...COMMON_FLAGS,
  help: { ...SWITCH, alias: "h" },
  version: SWITCH,
};

/** Whether a completion script asks: yargs answers. */
export function asksCompletions(argv: readonly string[]): boolean {
  return argv[0] === "--get-yargs-completions";
}

/**
 * Look over a command line before yargs does: it reads `--strict=maybe` as false, `-v=3` as one step, and the values of a repeated
 * option as a list. Throws a UsageError for these. Options that nobody knows are left to yargs.
 */
export function readCommandLine(argv: readonly string[]): CommandLine {
  const { options, words } = split(argv);
  const switched = { help: false, version: false };
  const given = new Map<string, number>();
  for (const { typed, name, value } of options) {
    refuseNegation(typed, name);
    const flag = FLAGS[name];
    if (flag?.type === "count" && value !== null) throw new UsageError(`${typed} takes no value (repeat it: -vvv)`);
    const on = flag?.type === "boolean" && (value === null || switchValue(typed, value));
    if (name === "help" || name === "version") switched[name] = on;
    if (flag === undefined || !takesWord(flag) || flag.array === true) continue;
    given.set(name, (given.get(name) ?? 0) + 1);
  }
  for (const [name, times] of given) {
    if (times > 1) throw new UsageError(`--${name} is given ${times} times (once is enough)`);
  }
  return { words, ...switched };
}

/**
 * The same words with each value that is written onto its letter (`-Iproto`, `-vofile`) as a word of its own: yargs would take its letters
 * for options.
 */
export function detachValues(argv: readonly string[]): readonly string[] {
  const words: string[] = [];
  for (let at = 0; at < argv.length; at++) {
    const word = argv[at] ?? "";
    if (word === "--") return [...words, ...argv.slice(at)];
    const options = word.startsWith("--") ? [longOption(word)] : shortOptions(word);
    const last = options.at(-1);
    const flag = last === undefined ? undefined : FLAGS[last.name];
    const takes = flag !== undefined && takesWord(flag);
    if (takes && last !== undefined && last.value !== null && !word.startsWith("--") && !word.includes("=")) {
      words.push(word.slice(0, word.length - last.value.length), last.value);
      continue;
    }
    words.push(word);
    // The next word is its value, whatever it looks like.
    if (takes && last?.value === null) words.push(...argv.slice(at + 1, ++at + 1));
  }
  return words;
}

function split(argv: readonly string[]): { readonly options: readonly TypedOption[]; readonly words: readonly string[] } {
  const options: TypedOption[] = [];
  const words: string[] = [];
  for (let at = 0; at < argv.length; at++) {
    const word = argv[at] ?? "";
    if (word === "--") {
      words.push(...argv.slice(at + 1));
      break;
    }
    const found = word.startsWith("--") ? [longOption(word)] : shortOptions(word);
    if (found.length === 0) words.push(word);
    options.push(...found);
    const last = found.at(-1);
    const flag = last === undefined ? undefined : FLAGS[last.name];
    // The next word is its value, also one that begins with a dash.
    if (last?.value === null && flag !== undefined && takesWord(flag)) at += 1;
  }
  return { options, words };
}

/** `--name` or `--name=value`. */
function longOption(word: string): TypedOption {
  const [, typed = word, value = null] = /^(--[^=]*)(?:=(.*))?$/s.exec(word) ?? [];
  return { typed, name: nameOf(typed.slice(2)), value };
}

/** `-x`, `-xyz`, `-x=value`, `-xvalue`. Nothing for `-` and for words without a dash. */
function shortOptions(word: string): TypedOption[] {
  const options: TypedOption[] = [];
  if (!word.startsWith("-")) return options;
  for (let at = 1; at < word.length; at++) {
    const typed = `-${word[at]}`;
    const name = nameOf(word[at] ?? "");
    const rest = word.slice(at + 1);
    const flag = FLAGS[name];
    const isValue = rest !== "" && ((flag !== undefined && takesWord(flag)) || !/^[A-Za-z]/.test(rest));
    options.push({ typed, name, value: isValue ? rest.replace(/^=/, "") : null });
    if (isValue) break;
  }
  return options;
}

/** The long name, where a letter stands for one. */
function nameOf(typed: string): string {
  return Object.entries(FLAGS).find(([, { alias }]) => alias === typed)?.[0] ?? typed;
}

function takesWord({ type }: Flag): boolean {
  return type === "string";
}

/** yargs takes `--no-` before every option; only a switch can be off. */
function refuseNegation(typed: string, name: string): void {
  const flag = name.startsWith("no-") ? FLAGS[name.slice("no-".length)] : undefined;
  if (flag !== undefined && flag.type !== "boolean") throw new UsageError(`unknown option ${typed}`);
}

/** yargs knows two words; a variable of the environment may say yes or 1. */
function switchValue(typed: string, value: string): boolean {
  if (value === "true" || value === "false") return value === "true";
  throw new UsageError(`${typed}: ${JSON.stringify(value)} is neither true nor false`);
}
