import { UsageError } from "../proxy/listen-spec.ts";
import { parseSwitch } from "./values.ts";

/** What yargs, the environment or a configuration file give, by the option's long name. */
export type RawValues = Readonly<Record<string, unknown>>;

/**
 * One option may be given in three places. A flag wins over `WIRETALLY_*`, which wins over the configuration file.
 * The environment's name is the option's in upper case with `_` for `-`.
 */
export class Layers {
  readonly #flags: RawValues;
  readonly #env: Readonly<Record<string, string | undefined>>;
  readonly #config: RawValues;

  constructor(flags: RawValues, env: Readonly<Record<string, string | undefined>>, config: RawValues = {}) {
    this.#flags = flags;
    this.#env = env;
    this.#config = config;
  }

  /** The value as text, parsed by `parse`, which throws a UsageError that begins with where the value is from. */
  text<T>(name: string, parse: (origin: string, text: string) => T): T | undefined {
    const found = this.#find(name);
    if (found === undefined) return undefined;
    const value = Array.isArray(found.value) ? found.value.at(-1) : found.value;
    return parse(found.origin, String(value));
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

  #find(name: string): { readonly origin: string; readonly value: unknown } | undefined {
    const flag = this.#flags[name];
    if (flag !== undefined) return { origin: `--${name}`, value: flag };
    const variable = `WIRETALLY_${name.toUpperCase().replaceAll("-", "_")}`;
    const setting = this.#env[variable];
    if (setting !== undefined) return { origin: variable, value: setting };
    const entry = this.#config[name];
    return entry === undefined ? undefined : { origin: `"${name}" in the configuration file`, value: entry };
  }
}

/** A text that must not be empty, such as a file name. */
export function parseText(origin: string, text: string): string {
  if (text === "") throw new UsageError(`${origin}: the value is empty`);
  return text;
}
