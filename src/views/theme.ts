import { Chalk, type ColorSupportLevel } from "chalk";

/** What `--color` says. */
export const COLOUR_CHOICES = ["auto", "always", "never"] as const;
export type ColourChoice = (typeof COLOUR_CHOICES)[number];

/** The part of a tty.WriteStream that decides about colour; a pipe has none of it. */
export interface ColourStream {
  readonly isTTY?: boolean;
  getColorDepth?(env?: Readonly<Record<string, string | undefined>>): number;
}

/** How the parts of a view look. Each function returns its text, with or without escape sequences around it. */
export interface Theme {
  readonly coloured: boolean;
  readonly time: Paint;
  readonly id: Paint;
  readonly c2s: Paint;
  readonly s2c: Paint;
  readonly unit: Paint;
  readonly octets: Paint;
  readonly name: Paint;
  readonly dim: Paint;
  readonly heading: Paint;
  readonly bar: Paint;
  readonly good: Paint;
  readonly warning: Paint;
  readonly bad: Paint;
}
export type Paint = (text: string) => string;

/** Colours for one level of support: 0 none, 1 sixteen, 2 256, 3 true colour. */
export function createTheme(level: ColorSupportLevel): Theme {
  const chalk = new Chalk({ level });
  return {
    coloured: level > 0,
    time: chalk.gray,
    id: chalk.blue,
    c2s: chalk.cyan,
    s2c: chalk.magenta,
    unit: chalk.bold,
    octets: chalk.green,
    name: chalk.blue,
    dim: chalk.gray,
    heading: chalk.bold,
    bar: chalk.cyan,
    good: chalk.green,
    warning: chalk.yellow,
    bad: chalk.red,
  };
}

/**
 * How much colour to use on `stream`: `--color` decides, then FORCE_COLOR, CLICOLOR_FORCE and NO_COLOR (non-empty), then what the
 * terminal can do. Chalk's own detection ignores NO_COLOR, so it is not asked.
 */
export function colourLevel(
  choice: ColourChoice,
  stream: ColourStream,
  env: Readonly<Record<string, string | undefined>>,
): ColorSupportLevel {
  if (choice === "never") return 0;
  const able = stream.isTTY === true && stream.getColorDepth !== undefined ? levelOfDepth(stream.getColorDepth(env)) : 0;
  if (choice === "always") return able === 0 ? 1 : able;
  const forced = forcedLevel(env["FORCE_COLOR"]) ?? forcedLevel(env["CLICOLOR_FORCE"]);
  if (forced !== undefined) return forced;
  if ((env["NO_COLOR"] ?? "") !== "") return 0;
  return able;
}

/** FORCE_COLOR: `0` and `false` are none, `1` to `3` levels, anything else (empty too) sixteen colours. */
function forcedLevel(value: string | undefined): ColorSupportLevel | undefined {
  switch (value) {
    case undefined:
      return undefined;
    case "0":
    case "false":
      return 0;
    case "2":
      return 2;
    case "3":
      return 3;
    default:
      return 1;
  }
}

function levelOfDepth(bits: number): ColorSupportLevel {
  if (bits >= 24) return 3;
  if (bits >= 8) return 2;
  return bits >= 4 ? 1 : 0;
}
