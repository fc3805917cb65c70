import type protobuf from "protobufjs";

/** Schema files cannot be read. The message is one line for a user: which file and line, what is missing, what to try. */
export class SchemaError extends Error {
  override readonly name = "SchemaError";
}

/** What protobufjs' parser says of a file, for a user. @param root what was read before: it may have the name already. */
export function parseFailure(path: string, source: string, root: protobuf.Root, error: unknown): SchemaError {
  const text = messageOf(error);
  const [, place, line] = / \((?:(.*), )?line (\d+)\)$/.exec(text) ?? [];
  if (line !== undefined) {
    const what = text.slice(0, text.lastIndexOf(place === undefined ? " (line " : " ("));
    const ends = what.includes("'null'") ? "the file ends before its definitions do" : what;
    return new SchemaError(`${path}:${line}: ${ends}`);
  }
  const [, name, scope] = /^duplicate name '(.*)' in (?:\w+ ?)(\S*)$/.exec(text) ?? [];
  if (name !== undefined && scope !== undefined) {
    const other = root.lookup(`${scope}.${name}`.replace(/^\./, ""))?.filename ?? path;
    const defined = `\\b(?:message|enum|service|group|oneof|rpc)\\s+${escaped(name)}\\b|\\b${escaped(name)}\\s*=`;
    if (other === path) return new SchemaError(`${path}${lineOf(source, new RegExp(defined, "g"), 1)}: ${name} is defined twice`);
    const line = lineOf(source, new RegExp(defined, "g"));
    return new SchemaError(`${path}${line}: ${name} is already defined, in ${other}; name only one of the two files`);
  }
  return new SchemaError(`${path}: ${text}`);
}

/** What protobufjs says of a name that no file defines, for a user. @param sources by path. */
export function resolveFailure(sources: ReadonlyMap<string, string>, error: unknown): SchemaError {
  const text = messageOf(error);
  const name = /^no such [^':]*(?:'|: )([^' ]+)/.exec(text)?.[1] ?? /'extend ([^' ]+)'/.exec(text)?.[1];
  if (name !== undefined) {
    // As a word of its own and not in a comment; names in error texts are as they stand in the file.
    const pattern = new RegExp(`^(?:(?!//).)*?(?<![\\w."])${escaped(name)}(?![\\w."])`, "gm");
    for (const [path, source] of sources) {
      const line = lineOf(source, pattern);
      if (line !== "") return new SchemaError(`${path}${line}: ${name} is not defined; import the file that defines it`);
    }
  }
  return new SchemaError(text);
}

/** `:12` for the line that a global `pattern` matches in, after that many matches before; empty when it does not. */
export function lineOf(source: string, pattern: RegExp, before = 0): string {
  const found = [...source.matchAll(pattern)][before];
  if (found === undefined) return "";
  return `:${source.slice(0, found.index + found[0].length).split("\n").length}`;
}

/** As a regular expression that matches exactly this. */
export function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
