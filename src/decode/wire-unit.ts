import type { Direction } from "./direction.ts";
import type { Exchange } from "./exchange.ts";

/** A run of octets of one category within a unit; adjacent runs of one category are one. */
export interface UnitPart {
  readonly category: number;
  readonly octets: number;
  /** Never show these octets unless secrets are asked for. */
  readonly secret: boolean;
  /** Content: the field whose value it is part of, names joined by dots; "" at the top and outside of content, null: nobody knows. */
  readonly path: string | null;
  /** The first octets, at most SHOWN_OCTETS; a copy. */
  readonly shown: Uint8Array;
}

/** Octets of a part that a hex view can show. */
export const SHOWN_OCTETS = 32;

/** A field line in a head or field block. Texts are octet strings. */
export interface UnitField {
  readonly name: string | null;
  readonly value: string | null;
  /** Octets on the wire: the whole representation, or the whole HTTP/1 line. */
  readonly octets: number;
  /** A never-indexed literal: secret whatever its name. */
  readonly neverIndexed: boolean;
  /** HPACK only. Index is RFC 7541 §2.3.3 numbering; lengths are octets as coded and as decoded (-1: unknown). */
  readonly hpack: {
    readonly representation: number;
    readonly index: number;
    readonly nameHuffman: boolean;
    readonly valueHuffman: boolean;
    readonly nameOctets: number;
    readonly valueOctets: number;
    readonly nameLength: number;
    readonly valueLength: number;
  } | null;
}

/** Octets that belong together on the wire: announced when its last octet has come, so that cuts do not change what is said. */
export interface WireUnit {
  readonly direction: Direction;
  readonly offset: number;
  readonly octets: number;
  readonly exchange: Exchange | null;
  readonly detail: UnitDetail;
  /** Filled from Detail 2 on, else empty. At most 256 KiB of names and values; `fieldsOmitted` says how many more there were. */
  readonly fields: readonly UnitField[];
  readonly fieldsOmitted: number;
  /** Filled at Detail 3, else empty. The first ones; `octetsOmitted` says how many octets of the unit they leave out. */
  readonly parts: readonly UnitPart[];
  readonly octetsOmitted: number;
  /** The direction ended inside it. */
  readonly truncated: boolean;
}

/** What the unit was. */
export type UnitDetail =
  | { readonly kind: "h2.preface" }
  | H2FrameDetail
  | { readonly kind: "http1.request_head"; readonly startLine: string; readonly method: string; readonly target: string }
  | { readonly kind: "http1.response_head"; readonly startLine: string; readonly status: number }
  | { readonly kind: "http1.trailers" }
  | { readonly kind: "http1.chunk"; readonly size: number }
  | { readonly kind: "http1.last_chunk" }
  /** A body by Content-Length, or to the close of the connection. */
  | { readonly kind: "http1.body"; readonly framing: "content-length" | "until-close" }
  | { readonly kind: "http1.malformed" }
  /** `contentType` null: a ClientHello of version 2. */
  | { readonly kind: "tls.record"; readonly contentType: number | null; readonly version: number; readonly length: number }
  /** RFC 6455 §5.2. `rsv`: RSV1 to RSV3 as bits 4, 2 and 1. */
  | {
      readonly kind: "ws.frame";
      readonly fin: boolean;
      readonly rsv: number;
      readonly opcode: number;
      readonly masked: boolean;
      readonly length: number;
    }
  | { readonly kind: "proxy.header"; readonly version: 1 | 2; readonly text: string }
  | { readonly kind: "unattributed" };

/** An HTTP/2 frame. Numbers are as on the wire; null where the type has no such field. */
export interface H2FrameDetail {
  readonly kind: "h2.frame";
  readonly type: number;
  readonly flags: number;
  readonly reserved: number;
  readonly streamId: number;
  readonly length: number;
  readonly malformed: boolean;
  readonly padLength: number | null;
  readonly priority: { readonly exclusive: boolean; readonly dependency: number; readonly weight: number } | null;
  readonly promisedStreamId: number | null;
  /** SETTINGS in wire order. */
  readonly settings: readonly (readonly [identifier: number, value: number])[] | null;
  readonly opaqueData: Uint8Array | null;
  readonly increment: number | null;
  readonly errorCode: number | null;
  readonly lastStreamId: number | null;
  /** GOAWAY debug data; a copy. */
  readonly debugData: Uint8Array | null;
}
