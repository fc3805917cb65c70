import type { Frame } from "./frame.ts";
import { OUTCOME, type Step } from "./layer.ts";
import { ipProtocolLayer } from "./registry.ts";

/** Datagrams that wait for fragments, at most: with 64 KiB each, 64 MiB. */
const MAX_OPEN = 1024;
/** The payload of an IP datagram fits 16 bits. */
const MAX_OCTETS = 0xffff;
/** RFC 8200 §4.5 gives up after 60 seconds; after that the same identification means another datagram. */
const LIFETIME_NS = 60_000_000_000n;
/** Fragments begin at multiples of it, and all but the last have a multiple of it (RFC 791 §3.2). */
const UNIT = 8;

/** Puts fragmented IP datagrams together. The first copy of an octet wins. */
export class Reassembly {
  readonly #open = new Map<string, Datagram>();
  readonly #dropped: () => void;

  /** @param dropped told when the oldest datagram had to go because too many wait. */
  constructor(dropped: () => void) {
    this.#dropped = dropped;
  }

  /** Datagrams that still lack a fragment. */
  get open(): number {
    return this.#open.size;
  }

  /**
   * Takes the fragment at `frame.at`, described by `frame.fragment`.
   * @returns what the datagram carries, with `frame` moved into it, once nothing is missing; until then {@link OUTCOME}.fragment.
   */
  add(frame: Frame, timeNs: bigint | null): Step {
    const { offset, more } = frame.fragment;
    const length = frame.wireEnd - frame.at;
    if (offset + length > MAX_OCTETS || (more && (length === 0 || length % UNIT !== 0))) return OUTCOME.malformed;
    if (frame.end < frame.wireEnd) return OUTCOME.cut;
    const key = keyOf(frame);
    const datagram = this.#datagram(key, timeNs);
    if (!datagram.add(frame, offset, length, more)) return OUTCOME.fragment;
    this.#open.delete(key);
    datagram.enter(frame);
    return ipProtocolLayer(frame.protocol);
  }

  #datagram(key: string, timeNs: bigint | null): Datagram {
    const known = this.#open.get(key);
    if (known !== undefined && !isStale(known, timeNs)) return known;
    // Deleted first: a datagram that begins anew is the youngest of all.
    this.#open.delete(key);
    if (this.#open.size >= MAX_OPEN) this.#dropOldest();
    const datagram = new Datagram(timeNs);
    this.#open.set(key, datagram);
    return datagram;
  }

  #dropOldest(): void {
    for (const key of this.#open.keys()) {
      this.#open.delete(key);
      break;
    }
    this.#dropped();
  }
}

function isStale(datagram: Datagram, timeNs: bigint | null): boolean {
  return timeNs !== null && datagram.timeNs !== null && timeNs - datagram.timeNs > LIFETIME_NS;
}

/** RFC 791 §3.2: addresses, protocol and identification; RFC 8200 §4.5: addresses and identification. */
function keyOf(frame: Frame): string {
  const { identification, protocol } = frame.fragment;
  return frame.version === 4
    ? `${identification} ${protocol} ${frame.source4.join()} ${frame.destination4.join()} ${frame.scope}`
    : `${identification} ${frame.source6.join()} ${frame.destination6.join()} ${frame.scope}`;
}

/** One datagram's payload, as far as it has come. Memory follows the furthest octet seen, 64 KiB at most. */
class Datagram {
  readonly timeNs: bigint | null;
  #octets = new Uint8Array(2048);
  /** A bit per unit that is there. */
  #units = new Uint8Array(32);
  #unitsHeld = 0;
  /** Known with the last fragment. */
  #length: number | null = null;
  #furthest = 0;
  #protocol = 0;
  #linkOctets = 0;
  #ipOctets = 0;

  constructor(timeNs: bigint | null) {
    this.timeNs = timeNs;
  }

  /** @returns true when nothing is missing any more. */
  add(frame: Frame, offset: number, length: number, more: boolean): boolean {
    const end = offset + length;
    // A second last fragment, or one past the end, contradicts what came first.
    const contradicts = this.#length === null ? !more && end < this.#furthest : more ? end > this.#length : end !== this.#length;
    if (contradicts) return false;
    if (!more) this.#length = end;
    if (offset === 0) this.#protocol = frame.fragment.protocol;
    this.#linkOctets += frame.linkOctets;
    this.#ipOctets += frame.passed + frame.at - frame.linkOctets;
    this.#furthest = Math.max(this.#furthest, end);
    this.#reserve(end);
    for (let at = 0; at < length; at += UNIT) {
      this.#fill(offset + at, frame.octets, frame.at + at, Math.min(UNIT, length - at));
    }
    return this.#length !== null && this.#unitsHeld === Math.ceil(this.#length / UNIT);
  }

  /** Moves `frame` to the whole payload. */
  enter(frame: Frame): void {
    const length = this.#length ?? 0;
    const { scope } = frame;
    frame.begin(this.#octets.subarray(0, length), length);
    frame.scope = scope;
    frame.linkOctets = this.#linkOctets;
    frame.passed = this.#linkOctets + this.#ipOctets;
    frame.protocol = this.#protocol;
  }

  #fill(offset: number, from: Uint8Array, at: number, count: number): void {
    const unit = offset / UNIT;
    const mask = 1 << (unit & 7);
    const held = this.#units[unit >>> 3] ?? 0;
    if ((held & mask) !== 0) return;
    this.#units[unit >>> 3] = held | mask;
    this.#unitsHeld += 1;
    for (let i = 0; i < count; i++) this.#octets[offset + i] = from[at + i] ?? 0;
  }

  #reserve(end: number): void {
    if (end <= this.#octets.length) return;
    const size = Math.min(Math.max(end, this.#octets.length * 2), MAX_OCTETS + 1);
    const [octets, units] = [new Uint8Array(size), new Uint8Array(Math.ceil(size / UNIT / 8))];
    octets.set(this.#octets);
    units.set(this.#units);
    this.#octets = octets;
    this.#units = units;
  }
}
