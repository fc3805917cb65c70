/**
 * Longest path that is told, in octets of UTF-8, and deepest container that has one; with them, what is kept for paths is
 * bounded.
 */
const LONGEST_PATH = 256;
const DEEPEST = 32;
/** Longest key that is kept, in octets between its quotes. */
const LONGEST_KEY = 128;

const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });
const toUtf8 = new TextEncoder();

/**
 * Where in a JSON text the scanner stands: the keys to a value, joined by dots. An array's elements have the path of the array.
 * Null: the path is too long or deep to be told. Level 0 is outside of all containers; each text begins anew.
 */
export class JsonPaths {
  /** By level: the container's path, and the path of the value that comes next in it. Here with a dot before each key. */
  readonly #containers: (string | null)[] = [""];
  readonly #values: (string | null)[] = [""];
  readonly #key = new Uint8Array(LONGEST_KEY);
  #keyOctets = 0;

  /** A container opens and is level `level`. */
  open(level: number): void {
    if (level > DEEPEST) return;
    const path = this.#values[level - 1] ?? null;
    this.#containers[level] = path;
    this.#values[level] = path;
  }

  /** A key begins. */
  beginKey(): void {
    this.#keyOctets = 0;
  }

  /** It goes on with `bytes[from, to)`, text or escape sequences. */
  pushKey(bytes: Uint8Array, from: number, to: number): void {
    const kept = Math.min(to, from + LONGEST_KEY - this.#keyOctets);
    for (let at = from, next = this.#keyOctets; at < kept; at++, next++) this.#key[next] = bytes[at] ?? 0;
    this.#keyOctets = Math.min(LONGEST_KEY + 1, this.#keyOctets + to - from);
  }

  /** It is complete: the next value in the container of `level` is its value. */
  endKey(level: number): void {
    if (level > DEEPEST) return;
    this.#values[level] = this.#joined(this.#containers[level] ?? null);
  }

  /** Path of the container at `level`. */
  container(level: number): string | null {
    return outside(level > DEEPEST ? null : this.#containers[level]);
  }

  /** Path of the value that stands, or comes next, in the container at `level`. */
  value(level: number): string | null {
    return outside(level > DEEPEST ? null : this.#values[level]);
  }

  #joined(container: string | null): string | null {
    if (container === null || this.#keyOctets > LONGEST_KEY) return null;
    // Only legal escape sequences and no control octets came: this parses.
    const name = JSON.parse(`"${utf8.decode(this.#key.subarray(0, this.#keyOctets))}"`) as string;
    const path = `${container}.${name}`;
    return toUtf8.encode(path).length - 1 > LONGEST_PATH ? null : path;
  }
}

function outside(path: string | null | undefined): string | null {
  return path === undefined || path === null ? null : path.slice(1);
}
