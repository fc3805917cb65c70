import { octetString } from "http2-frame-parser";
import { CATEGORY } from "./category.ts";
import type { Direction } from "./direction.ts";
import type { Layer } from "./layer.ts";
import { LEVEL } from "./level.ts";
import type { ConnectionSink } from "./sink.ts";
import { UnitBuilder } from "./unit-builder.ts";

/** Version 1 begins with these octets, "PROXY ": haproxy, "The PROXY protocol", section 2.1. */
export const PROXY_V1_SIGNATURE = Uint8Array.of(0x50, 0x52, 0x4f, 0x58, 0x59, 0x20);
/** Version 2 begins with these octets, section 2.2. */
export const PROXY_V2_SIGNATURE = Uint8Array.of(0x0d, 0x0a, 0x0d, 0x0a, 0x00, 0x0d, 0x0a, 0x51, 0x55, 0x49, 0x54, 0x0a);

/** Section 2.1: the longest line, CRLF included. */
const V1_MAX_OCTETS = 107;
/** Section 2.2: signature, version and command, family and protocol, length. */
const V2_FIXED_OCTETS = 16;
/** Octets of the address block that are read: the longest, AF_UNIX, has twice 108. TLVs after it pass without being held. */
const V2_ADDRESS_CAP = 216;

/** Section 2.1: with it the receiver ignores the rest of the line. */
const V1_UNKNOWN = "UNKNOWN";

const LF = 0x0a;

/**
 * A PROXY protocol header, version 1 or 2, at the begin of a direction. It is over (`done`, and `push` takes no more) after its last
 * octet; whether one is there at all is for the caller to see, by the signatures. A header that is none is counted as
 * `unattributed.after_error`, and so is everything behind it.
 */
export class ProxyHeaderLayer implements Omit<Layer, "gap"> {
  /** The header has been read; what follows is another layer's. */
  done = false;
  readonly #sink: ConnectionSink;
  readonly #direction: Direction;
  readonly #unit = new UnitBuilder();
  /** What is held: a version 1 line, or the fixed octets and the addresses of version 2. */
  readonly #buffer = new Uint8Array(V2_FIXED_OCTETS + V2_ADDRESS_CAP);
  #length = 0;
  /** Octets of the header that are announced as they come: TLVs of version 2. */
  #left = 0;
  #text = "";
  #lost = false;

  constructor(sink: ConnectionSink, direction: Direction) {
    this.#sink = sink;
    this.#direction = direction;
  }

  get held(): number {
    return this.#length;
  }

  push(bytes: Uint8Array, from: number, to: number): number {
    let at = from;
    while (at < to && !this.done) {
      if (this.#lost) {
        this.#announce(CATEGORY["unattributed.after_error"], LEVEL.unowned, bytes, at, to, true);
        at = to;
      } else if (this.#left > 0) {
        at = this.#pushTlvs(bytes, at, to);
      } else {
        this.#buffer[this.#length++] = bytes[at++] ?? 0;
        this.#look();
      }
    }
    return at;
  }

  end(): void {
    if (this.done) return;
    if (!this.#lost && (this.#length > 0 || this.#left > 0)) {
      this.#note("truncated", "warning", "the direction ended inside a PROXY header");
      this.#announceHeld(CATEGORY["unattributed.truncated"], LEVEL.unowned);
    }
    this.#finish(!this.#lost);
  }

  /** One more octet is held: is that the header, or its end? */
  #look(): void {
    const length = this.#length;
    const isV1 = this.#buffer[0] === PROXY_V1_SIGNATURE[0];
    const signature = isV1 ? PROXY_V1_SIGNATURE : PROXY_V2_SIGNATURE;
    if (length <= signature.length) {
      if (this.#buffer[length - 1] !== signature[length - 1]) this.#lose("it has no signature");
    } else if (isV1) {
      this.#lookV1();
    } else if (length >= V2_FIXED_OCTETS) {
      this.#lookV2();
    }
  }

  #lookV1(): void {
    const length = this.#length;
    if (this.#buffer[length - 1] === LF) {
      const text = readV1(octetString(this.#buffer, 0, length));
      if (text === null) this.#lose("the line is malformed");
      else this.#accept(text, text === V1_UNKNOWN ? PROXY_V1_SIGNATURE.length + text.length : length);
    } else if (length >= V1_MAX_OCTETS) {
      this.#lose("the line is over 107 octets");
    }
  }

  #lookV2(): void {
    const buffer = this.#buffer;
    const size = 256 * (buffer[14] ?? 0) + (buffer[15] ?? 0);
    const addresses = v2AddressOctets(buffer[13] ?? 0);
    const version = (buffer[12] ?? 0) >> 4;
    const command = (buffer[12] ?? 0) & 0x0f;
    if (version !== 2 || command > 1) {
      this.#lose("unknown version or command");
    } else if (addresses > size) {
      this.#lose("it is shorter than its addresses");
    } else if (this.#length === V2_FIXED_OCTETS + addresses) {
      this.#left = size - addresses;
      this.#accept(readV2(buffer, command), command === 0 ? V2_FIXED_OCTETS : this.#length);
    }
  }

  /** What is held is the header, of which `text` says all of the first `read` octets. The others are to be ignored. */
  #accept(text: string, read: number): void {
    const length = this.#length;
    this.#text = text;
    this.#note("proxy-protocol", "info", `PROXY ${text}`);
    this.#length = 0;
    this.#announce(CATEGORY["proxy.header"], LEVEL.setup, this.#buffer, 0, read, false);
    this.#announce(CATEGORY["proxy.header"], LEVEL.setup, this.#buffer, read, length, true);
    if (this.#left === 0) this.#headerOver();
  }

  #pushTlvs(bytes: Uint8Array, at: number, to: number): number {
    const next = Math.min(to, at + this.#left);
    this.#announce(CATEGORY["proxy.header"], LEVEL.setup, bytes, at, next, true);
    this.#left -= next - at;
    if (this.#left === 0) this.#headerOver();
    return next;
  }

  #headerOver(): void {
    this.done = true;
    this.#finish(false);
  }

  #lose(why: string): void {
    this.#note("proxy-protocol-malformed", "violation", `no PROXY header: ${why}; counted, not read, from here on`);
    this.#lost = true;
    this.#announceHeld(CATEGORY["unattributed.after_error"], LEVEL.unowned);
  }

  /** What is held is no header that could be read. */
  #announceHeld(category: number, level: number): void {
    const length = this.#length;
    this.#length = 0;
    this.#announce(category, level, this.#buffer, 0, length, true);
  }

  /** @param secret no grammar has read them: a hex view must not show them. */
  #announce(category: number, level: number, bytes: Uint8Array, from: number, to: number, secret: boolean): void {
    if (from === to) return;
    const { detail } = this.#sink;
    if (detail > 0) this.#unit.part(this.#sink.offset(this.#direction), category, to - from, bytes, from, secret, detail === 3);
    this.#sink.octets(this.#direction, category, to - from, level, null);
  }

  #finish(truncated: boolean): void {
    if (this.#unit.octets === 0) return;
    const version = this.#buffer[0] === PROXY_V1_SIGNATURE[0] ? 1 : 2;
    const known = this.#text !== "";
    const detail = known ? ({ kind: "proxy.header", version, text: this.#text } as const) : ({ kind: "unattributed" } as const);
    this.#unit.finish(this.#sink, this.#direction, detail, null, truncated);
  }

  #note(code: string, severity: "violation" | "warning" | "info", text: string): void {
    this.#sink.note(code, severity, this.#direction, this.#sink.offset(this.#direction), null, text);
  }
}

/** Section 2.1. @returns what the line says after "PROXY ", which is then ASCII without controls; null when it is malformed. */
function readV1(line: string): string | null {
  const match =
    /^PROXY (?:(UNKNOWN)(?: [ -~]*)?|(TCP4 [0-9.]+ [0-9.]+ [0-9]{1,5} [0-9]{1,5}|TCP6 [0-9A-Fa-f:.]+ [0-9A-Fa-f:.]+ [0-9]{1,5} [0-9]{1,5}))\r\n$/.exec(
      line,
    );
  return match === null ? null : (match[1] ?? match[2] ?? null);
}

/** Section 2.2: octets of the address block by family (high four bits); unknown families have none that is known. */
function v2AddressOctets(familyAndProtocol: number): number {
  switch (familyAndProtocol >> 4) {
    case 1:
      return 12;
    case 2:
      return 36;
    case 3:
      return V2_ADDRESS_CAP;
    default:
      return 0;
  }
}

/** What a version 2 header says, in the words of version 1. LOCAL (command 0): the sender speaks for itself, addresses do not count. */
function readV2(buffer: Uint8Array, command: number): string {
  if (command === 0) return "LOCAL";
  const at = V2_FIXED_OCTETS;
  const protocol = ["UNSPEC", "STREAM", "DGRAM"][(buffer[13] ?? 0) & 0x0f] ?? "UNKNOWN";
  switch ((buffer[13] ?? 0) >> 4) {
    case 1:
      return `${ipName(protocol)}4 ${v4(buffer, at)} ${v4(buffer, at + 4)} ${port(buffer, at + 8)} ${port(buffer, at + 10)}`;
    case 2:
      return `${ipName(protocol)}6 ${v6(buffer, at)} ${v6(buffer, at + 16)} ${port(buffer, at + 32)} ${port(buffer, at + 34)}`;
    case 3:
      return `UNIX ${protocol} ${path(buffer, at)} ${path(buffer, at + V2_ADDRESS_CAP / 2)}`;
    default:
      return "UNKNOWN";
  }
}

function ipName(protocol: string): string {
  if (protocol === "STREAM") return "TCP";
  return protocol === "DGRAM" ? "UDP" : "IP";
}

function v4(buffer: Uint8Array, at: number): string {
  return buffer.subarray(at, at + 4).join(".");
}

/** RFC 4291 §2.2, form 1: all eight groups. */
function v6(buffer: Uint8Array, at: number): string {
  return Array.from({ length: 8 }, (_, group) => port(buffer, at + 2 * group).toString(16)).join(":");
}

/** A 16-bit number, big-endian. */
function port(buffer: Uint8Array, at: number): number {
  return 256 * (buffer[at] ?? 0) + (buffer[at + 1] ?? 0);
}

/** A socket path up to its first NUL; what is no visible ASCII is escaped. */
function path(buffer: Uint8Array, at: number): string {
  const text = octetString(buffer, at, at + V2_ADDRESS_CAP / 2);
  const end = text.indexOf("\0");
  const hex = (character: string) => `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`;
  return (end < 0 ? text : text.slice(0, end)).replace(/[^!-[\]-~]/g, hex) || "-";
}
