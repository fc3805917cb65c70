/** RFC 7541 §4.1: what an entry costs besides its name and value. */
const ENTRY_OVERHEAD = 32;

/** An entry as {@link DynamicTable.entries} lists it. The name or value is null when it cannot be known (late join). */
export interface TableEntry {
  readonly name: string | null;
  readonly value: string | null;
  /** RFC 7541 §4.1: octets of name and value + 32; a lower bound when the name cannot be known. */
  readonly size: number;
}

/** RFC 7541 §2.3.2: first in, first out; the newest entry has position 0. */
export class DynamicTable {
  // A ring whose length is a power of two: grown as entries come, never from a size that the peer announced.
  #names: (string | null)[] = new Array<string | null>(16).fill(null);
  #values: (string | null)[] = new Array<string | null>(16).fill(null);
  #sizes = new Int32Array(16);
  #mask = 15;
  #next = 0;
  #length = 0;
  #size = 0;
  #maxSize: number;
  #version = 0;

  /** @param maxSize octets, RFC 7541 §4.2. */
  constructor(maxSize: number) {
    this.#maxSize = maxSize;
  }

  /** Entries. */
  get length(): number {
    return this.#length;
  }

  /** Octets in use, RFC 7541 §4.1. */
  get size(): number {
    return this.#size;
  }

  /** Octets allowed, as the last size update said. */
  get maxSize(): number {
    return this.#maxSize;
  }

  /** Another one whenever indexes mean something else. */
  get version(): number {
    return this.#version;
  }

  /** Name of the entry at a position, 0 = newest; null when unknown or not there. */
  name(position: number): string | null {
    return position < this.#length ? (this.#names[(this.#next - 1 - position) & this.#mask] as string | null) : null;
  }

  /** Value of the entry at a position, 0 = newest; null when unknown or not there. */
  value(position: number): string | null {
    return position < this.#length ? (this.#values[(this.#next - 1 - position) & this.#mask] as string | null) : null;
  }

  /**
   * RFC 7541 §4.4: make room, then insert. An entry larger than the table empties it and is not inserted.
   * @returns entries evicted. Whether it was inserted: {@link fits}.
   */
  insert(name: string | null, value: string | null): number {
    const size = entrySize(name, value);
    const evicted = this.#evictTo(this.#maxSize - size);
    if (size > this.#maxSize) return evicted;
    this.#version = (this.#version + 1) | 0;
    if (this.#length > this.#mask) this.#grow();
    this.#names[this.#next] = name;
    this.#values[this.#next] = value;
    this.#sizes[this.#next] = size;
    this.#next = (this.#next + 1) & this.#mask;
    this.#length++;
    this.#size += size;
    return evicted;
  }

  /** Whether an entry is not larger than the whole table. */
  fits(name: string | null, value: string | null): boolean {
    return entrySize(name, value) <= this.#maxSize;
  }

  /** RFC 7541 §4.3. @returns entries evicted. */
  resize(maxSize: number): number {
    this.#maxSize = maxSize;
    return this.#evictTo(maxSize);
  }

  /** Forget all entries. */
  clear(): void {
    this.#evictTo(0);
  }

  /** All entries, newest first: the order of their indexes, from 62. */
  entries(): readonly TableEntry[] {
    return Array.from({ length: this.#length }, (_, position) => ({
      name: this.name(position),
      value: this.value(position),
      size: this.#sizes[(this.#next - 1 - position) & this.#mask] as number,
    }));
  }

  #evictTo(octets: number): number {
    let evicted = 0;
    while (this.#length > 0 && this.#size > octets) {
      const oldest = (this.#next - this.#length) & this.#mask;
      this.#size -= this.#sizes[oldest] as number;
      this.#names[oldest] = null;
      this.#values[oldest] = null;
      this.#length--;
      evicted++;
    }
    if (evicted > 0) this.#version = (this.#version + 1) | 0;
    return evicted;
  }

  #grow(): void {
    const oldest = this.#next;
    const ordered = <T>(ring: readonly T[]) => [...ring.slice(oldest), ...ring.slice(0, oldest)];
    const capacity = (this.#mask + 1) * 2;
    const spare = new Array<null>(this.#mask + 1).fill(null);
    this.#names = [...ordered(this.#names), ...spare];
    this.#values = [...ordered(this.#values), ...spare];
    const sizes = new Int32Array(capacity);
    sizes.set(this.#sizes.subarray(oldest));
    sizes.set(this.#sizes.subarray(0, oldest), this.#sizes.length - oldest);
    this.#sizes = sizes;
    this.#next = this.#length;
    this.#mask = capacity - 1;
  }
}

function entrySize(name: string | null, value: string | null): number {
  return (name === null ? 0 : name.length) + (value === null ? 0 : value.length) + ENTRY_OVERHEAD;
}
