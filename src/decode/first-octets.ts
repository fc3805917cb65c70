import { type Answer, detect, type Verdict } from "./detect.ts";
import { C2S, type Direction } from "./direction.ts";
import { prefaceAt } from "./http2/frame-shape.ts";
import { MORE, NO_UNIT } from "./search.ts";
import { helloAt, versionTwoHelloAt } from "./tls/record-shape.ts";

/** What a connection speaks, whatever its octets look like. */
export type DecodeAs = "h2" | "http1" | "tls" | "opaque";

/** What a direction's first octets tell, or that they do not tell yet. */
export type FirstVerdict = Verdict | "tls-v2";
/** What they told. */
export type Told = Exclude<FirstVerdict, "more">;

/** The protocol that a verdict means. */
export function protocolOf(verdict: Told): DecodeAs {
  if (verdict === "h2-late") return "h2";
  return verdict === "tls-v2" ? "tls" : verdict;
}

/** What the first octets of a direction are, or are to be taken for, when they begin it. */
export function verdictOf(
  direction: Direction,
  decodeAs: DecodeAs | null,
  bytes: Uint8Array,
  from: number,
  to: number,
): FirstVerdict {
  const old = direction === C2S && (decodeAs === null || decodeAs === "tls") ? versionTwoHelloAt(bytes, from, to) : NO_UNIT;
  if (old !== NO_UNIT) return old === MORE ? "more" : "tls-v2";
  return decodeAs ?? detect(direction, bytes, from, to);
}

/**
 * What the octets of a direction surely begin, although they may be in the middle of anything: nothing but the TCP handshake may be what
 * was not seen. `no` when nothing is sure.
 */
export function sureStart(
  direction: Direction,
  decodeAs: DecodeAs | null,
  bytes: Uint8Array,
  from: number,
  to: number,
): "h2" | "tls" | "more" | "no" {
  const asks = (protocol: DecodeAs): boolean => decodeAs === null || decodeAs === protocol;
  const preface: Answer = direction === C2S && asks("h2") ? prefaceAt(bytes, from, to) : "no";
  const hello: Answer = asks("tls") ? helloAt(direction, bytes, from, to) : "no";
  if (preface === "yes") return "h2";
  if (hello === "yes") return "tls";
  return preface === "more" || hello === "more" ? "more" : "no";
}
