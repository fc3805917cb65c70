import type { ErrorCodeName } from "../http2/registry.ts";
import type { Span } from "./span.ts";

/** A citation that the compiler checks: number and section. */
export type RfcRef = `RFC ${number} §${string}`;

/** What a specification demands, and what it tells an endpoint to answer when the peer breaks it. */
export interface Rule {
  /** Stable identifier that tests and filters match; never the text. */
  readonly rule: string;
  /** What the RFC tells an endpoint to answer. */
  readonly errorCode: ErrorCodeName;
  readonly ref: RfcRef;
}

/** The peer broke the specification. A value, never an exception: decoding goes on. */
export interface Violation extends Rule {
  readonly kind: "violation";
  /** Octets of the space in which it was seen. */
  readonly span: Span;
}

/** Build a {@link Violation}. */
export function violation(rule: string, errorCode: ErrorCodeName, ref: RfcRef, span: Span): Violation {
  return { kind: "violation", rule, errorCode, ref, span };
}

/** Receives violations as they are found. */
export type Report = (violation: Violation) => void;
