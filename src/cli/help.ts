import { padTo } from "../views/columns.ts";
import { wrapText } from "../views/wrap-text.ts";
import { COMMANDS, type Command, type CommandName } from "./commands.ts";
import { COMMON_FLAGS, type Flags } from "./flags.ts";
import { helpNotes } from "./help-notes.ts";

const MAX_COLUMNS = 100;
const TOP_EXAMPLES: Command["examples"] = [
  ["wiretally demo", "gRPC against JSON, octet by octet"],
  ["wiretally proxy -L 8080:127.0.0.1:50051", "relay 8080 to a server, print a line per call"],
  ["wiretally proxy -L 8080:127.0.0.1:50051 -vv", "print every frame and field line"],
  ["wiretally read trace.pcapng", "the same of a capture"],
  ["wiretally schema tally", "the JSON Schema of the tally"],
];

/** A page of help. @param name a command; undefined: the first page. @param columns of the terminal, where they are known. */
export function helpPage(name: CommandName | undefined, columns: number | undefined): string {
  const width = Math.min(columns === undefined || columns === 0 ? MAX_COLUMNS : columns, MAX_COLUMNS);
  const blocks = name === undefined ? firstPage(width) : commandPage(name, COMMANDS[name], width);
  return `${blocks.map((lines) => lines.join("\n")).join("\n\n")}\n`;
}

function firstPage(width: number): string[][] {
  const commands = Object.values(COMMANDS).map(({ usage, describe }) => [`wiretally ${usage}`, describe] as const);
  return [
    ["wiretally COMMAND: says what every octet on the wire was for"],
    ["Commands:", ...twoColumns(commands, width)],
    ["Options:", ...optionLines({}, width)],
    examples(TOP_EXAMPLES, width),
    ...helpNotes(undefined).map((note) => wrapText(note, width)),
  ];
}

function commandPage(name: CommandName, command: Command, width: number): string[][] {
  return [
    wrapText(`wiretally ${command.usage}: ${command.describe}`, width),
    ["Options:", ...optionLines(command.flags, width)],
    examples(command.examples, width),
    ...helpNotes(name).map((note) => wrapText(note, width)),
  ];
}

/** A command's own options, then those of every command. */
function optionLines(flags: Flags, width: number): string[] {
  const all: Flags = { ...flags, ...COMMON_FLAGS };
  const rows = Object.entries(all).map(([name, { alias, placeholder, choices, describe }]) => {
    const left = `${alias === undefined ? "   " : `-${String(alias)},`} --${name}${placeholder === undefined ? "" : ` ${placeholder}`}`;
    return [left, choices === undefined ? String(describe) : `${String(describe)} [${choices.join(", ")}]`] as const;
  });
  return twoColumns([...rows, ["-h, --help", "this page"], ["    --version", "the version"]], width);
}

function examples(list: Command["examples"], width: number): string[] {
  const widest = Math.max(...list.map(([command]) => command.length));
  const beside = list.map(([command, explanation]) => `  ${command.padEnd(widest)}  # ${explanation}`);
  const fits = beside.every((line) => line.length <= width);
  return ["Examples:", ...(fits ? beside : list.flatMap(([command, explanation]) => [`  # ${explanation}`, `  ${command}`]))];
}

function twoColumns(rows: readonly (readonly [left: string, right: string])[], width: number): string[] {
  const indent = 2 + Math.max(...rows.map(([left]) => left.length)) + 2;
  return rows.flatMap(([left, right]) =>
    wrapText(right, Math.max(width - indent, 20)).map((line, index) => padTo(index === 0 ? `  ${left}` : "", indent) + line),
  );
}
