import { UsageError } from "../proxy/listen-spec.ts";
import { parseSwitch } from "./values.ts";

/** What yargs, the environment or a configuration file give, by the option's long name. */
export type RawValues = Readonly<Record<string, unknown>>;

/** A configuration file that was read. */
export interface ConfigFile {
  readonly path: string;
  readonly values: RawValues;
}

/** A value, where it is from in words, and how near to the user: 0 a flag, 1 the environment, 2 the configuration file. */
interface Found {
  readonly place: number;
  readonly origin: string;
  readonly value: unknown;
}

/**
 * One option may be given in three places. A flag wins over `WIRETALLY_*`, which wins over the configuration file.
 * The environment's name is the option's in upper case with `_` for `-`.
 */
export class Layers {
  readonly #flags: RawValues;
  readonly #env: Readonly<Record<string, string | undefined>>;
  readonly #config: ConfigFile | null;

  constructor(flags: RawValues, env: Readonly<Record<string, string | undefined>>, config: ConfigFile | null = null) {
    this.#flags = flags;
    this.#env = env;
    this.#config = config;
  }

  /** The value as text, parsed by `parse`, which throws a UsageError that begins with where the value is from. */
  text<T>(name: string, parse: (origin: string, text: string) => T): T | undefined {
    const found = this.#find(name);
    if (found === undefined) return undefined;
    return parse(found.origin, String(found.value));
  }

  /** Every value of an option that may be repeated; from the environment they are separated by spaces. */
  texts(name: string): readonly string[] {
    const found = this.#find(name);
    if (found === undefined) return [];
    if (Array.isArray(found.value)) return found.value.map(String);
    return String(found.value).split(/\s+/).filter(Boolean);
  }

  switch(name: string): boolean {
    return this.text(name, parseSwitch) ?? false;
  }

  /** Where the option is given: 0 a flag, 1 the environment, 2 the configuration file, Infinity nowhere. */
  place(name: string): number {
    return this.#find(name)?.place ?? Number.POSITIVE_INFINITY;
  }

  /** Where the option is given, in words. */
  origin(name: string): string {
    return this.#find(name)?.origin ?? `--${name}`;
  }

  #find(name: string): Found | undefined {
    const flag = this.#flags[name];
    if (flag !== undefined) return { place: 0, origin: `--${name}`, value: flag };
    const variable = `WIRETALLY_${name.toUpperCase().replaceAll("-", "_")}`;
    const setting = this.#env[variable];
    if (setting !== undefined) return { place: 1, origin: variable, value: setting };
    const entry = this.#config?.values[name];
    return entry === undefined ? undefined : { place: 2, origin: `--config ${this.#config?.path}: ${name}`, value: entry };
  }
}

/** A text that must not be empty, such as a file name. */
export function parseText(origin: string, text: string): string {
  if (text === "") throw new UsageError(`${origin}: the value is empty`);
  return text;
}
