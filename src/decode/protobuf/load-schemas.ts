// biome-ignore lint/correctness/noNodejsModules: schemas are files; all else in src/decode is free of I/O.
import { access, readFile, realpath, stat } from "node:fs/promises";
// biome-ignore lint/correctness/noNodejsModules: finds the definitions that come with protobufjs.
import { createRequire } from "node:module";
// biome-ignore lint/correctness/noNodejsModules: import paths.
import { dirname, join, resolve } from "node:path";
import protobuf from "protobufjs";
import type { Schemas } from "./message-type.ts";
import { escaped, lineOf, parseFailure, resolveFailure, SchemaError } from "./schema-error.ts";
import { schemasOf } from "./schemas.ts";

export { SchemaError } from "./schema-error.ts";

/** Where schemas are. */
export interface SchemaFiles {
  /** `.proto` files: paths, or names below one of `includeDirs`. */
  readonly files: readonly string[];
  /** Folders that imports are looked for in, in this order; then comes the importing file's own, then what is built in. */
  readonly includeDirs?: readonly string[];
}

/**
 * Read `.proto` files (proto2, proto3, editions) with all that they import. google/protobuf/*.proto need no file.
 * @throws SchemaError: one line for the user about a file or an import that is missing, an error in a file, a name defined twice or never.
 */
export async function loadSchemas({ files, includeDirs = [] }: SchemaFiles): Promise<Schemas> {
  for (const folder of includeDirs) {
    const found = await stat(folder).catch(() => null);
    if (found?.isDirectory() !== true) throw new SchemaError(`${folder}: no such folder to look for imports in`);
  }
  const loader = new Loader(includeDirs);
  for (const file of files) await loader.load(file);
  return loader.schemas();
}

class Loader {
  readonly #includeDirs: readonly string[];
  /** Its google folder has what protobufjs does not keep in memory, descriptor.proto above all. */
  readonly #builtInDir = dirname(createRequire(import.meta.url).resolve("protobufjs/package.json"));
  readonly #root = new protobuf.Root();
  /** Real paths, as a file may be reached by several names. */
  readonly #loaded = new Set<string>();
  /** Well-known files, `google/protobuf/any.proto`: many projects carry copies, one of them is enough. */
  readonly #wellKnown = new Set<string>();
  /** By the path that it was read from. */
  readonly #sources = new Map<string, string>();

  constructor(includeDirs: readonly string[]) {
    this.#includeDirs = includeDirs;
  }

  /** Read a file that the user has named, and what it imports. */
  async load(file: string): Promise<void> {
    const path = await firstOf([file, ...this.#includeDirs.map((folder) => join(folder, file))]);
    if (path === null) {
      const nor = this.#includeDirs.length > 0 ? `, nor below ${this.#includeDirs.join(", ")}` : "";
      throw new SchemaError(`${file}: no such file${nor}; check the path, or add -I DIR for the folder that it is in`);
    }
    // A list and no recursion: a chain of imports may be long.
    const waiting = [path];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) waiting.push(...(await this.#read(next)));
  }

  schemas(): Schemas {
    try {
      return schemasOf(this.#root);
    } catch (error) {
      throw resolveFailure(this.#sources, error);
    }
  }

  /** @returns the files that it imports. */
  async #read(path: string): Promise<readonly string[]> {
    const source = await this.#sourceOf(path);
    if (source === null) return [];
    const found: string[] = [];
    const { imports, weakImports } = this.#parse(path, source);
    for (const target of imports ?? []) {
      const file = await this.#find(target, path);
      if (file !== null) found.push(file);
      else if (!this.#addBuiltIn(target)) throw new SchemaError(await this.#missing(target, path, source));
    }
    // A weak import may be missing.
    for (const target of weakImports ?? []) {
      const file = await this.#find(target, path);
      if (file !== null) found.push(file);
      else this.#addBuiltIn(target);
    }
    return found;
  }

  /** @returns null when it, or another copy of it, has been read before. */
  async #sourceOf(path: string): Promise<string | null> {
    try {
      const real = await realpath(path);
      const wellKnown = wellKnownName(real);
      if (this.#loaded.has(real) || (wellKnown !== null && this.#wellKnown.has(wellKnown))) return null;
      const source = (await readFile(real, "utf8")).replace(/^\ufeff/, "");
      this.#loaded.add(real);
      if (wellKnown !== null) this.#wellKnown.add(wellKnown);
      this.#sources.set(path, source);
      return source;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      const why = code === "EISDIR" ? "is a folder: name a .proto file, and give folders with -I" : `cannot be read (${code})`;
      throw new SchemaError(`${path} ${why}`);
    }
  }

  #parse(path: string, source: string): protobuf.IParserResult {
    // Definitions remember it, so that an error about a later file can name this one. It is not in protobufjs' declarations.
    const parser = protobuf.parse as unknown as { filename: string | null };
    try {
      parser.filename = path;
      return protobuf.parse(source, this.#root, { keepCase: true });
    } catch (error) {
      throw parseFailure(path, source, this.#root, error);
    } finally {
      parser.filename = null;
    }
  }

  async #find(target: string, importer: string): Promise<string | null> {
    const own = await firstOf([...this.#includeDirs, dirname(importer)].map((folder) => join(folder, target)));
    if (own !== null || protobuf.common.get(target) !== null || !target.startsWith("google/")) return own;
    return firstOf([join(this.#builtInDir, target)]);
  }

  /** @returns false when it is not built in. */
  #addBuiltIn(target: string): boolean {
    if (this.#wellKnown.has(target)) return true;
    const definitions = protobuf.common.get(target)?.nested;
    if (definitions === undefined) return false;
    this.#wellKnown.add(target);
    this.#root.addJSON(definitions);
    return true;
  }

  /** Names the folder to add, where one above the importing file has what is missing. */
  async #missing(target: string, importer: string, source: string): Promise<string> {
    const line = lineOf(source, new RegExp(`^\\s*import\\b[^;\\n]*["']${escaped(target)}["']`, "gm"));
    const text = `${importer}${line}: import "${target}" is not found`;
    for (let folder = join(dirname(importer), ".."); ; folder = join(folder, "..")) {
      if ((await firstOf([join(folder, target)])) !== null) return `${text}; add -I ${folder}`;
      if (resolve(folder) === resolve(folder, "..")) return `${text}; add -I DIR for the folder that has ${target} below it`;
    }
  }
}

/** The first path that exists. */
async function firstOf(paths: readonly string[]): Promise<string | null> {
  for (const path of paths) {
    const exists = await access(path).then(
      () => true,
      () => false,
    );
    if (exists) return path;
  }
  return null;
}

/** `google/protobuf/any.proto` for any copy of it. */
function wellKnownName(path: string): string | null {
  return /(?:^|[\\/])(google[\\/]protobuf[\\/][a-z_]+\.proto)$/.exec(path)?.[1]?.replaceAll("\\", "/") ?? null;
}
