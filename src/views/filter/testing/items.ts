import type { Exchange } from "../../../decode/exchange.ts";
import type { H2FrameDetail, UnitDetail, UnitField, WireUnit } from "../../../decode/wire-unit.ts";
import type { ConnectionFacts } from "../../../ledger/listener.ts";
import type { ExchangeTally, NoteTally, Octets } from "../../../ledger/tally.ts";

export const CONNECTION: ConnectionFacts = { id: "c1", listener: "grpc", client: "127.0.0.1:40000", server: "127.0.0.1:8080" };

/** A gRPC call whose response has come. */
export const CALL: Exchange = {
  id: "c1.s3",
  stream: 3,
  protocol: "grpc",
  method: "POST",
  authority: "localhost:8080",
  path: "/item.v1.ItemService/Echo",
  status: 200,
  grpcStatus: 5,
  grpcMessage: null,
  complete: true,
};

export function field(name: string | null, value: string | null): UnitField {
  return { name, value, octets: 0, neverIndexed: name === "authorization", hpack: null };
}

export function unit(detail: UnitDetail, rest: Partial<WireUnit> = {}): WireUnit {
  const nothing = { fields: [], fieldsOmitted: 0, parts: [], octetsOmitted: 0, truncated: false };
  return { direction: 0, offset: 0, octets: 0, exchange: null, detail, ...nothing, ...rest };
}

export function frame(type: number, streamId: number, flags: number, rest: Partial<WireUnit> = {}): WireUnit {
  return unit({ kind: "h2.frame", type, streamId, flags } as H2FrameDetail, rest);
}

/** The same call, over. */
export const CALL_TALLY: ExchangeTally = {
  id: "c1.s3",
  stream: 3,
  protocol: "grpc",
  method: "POST",
  authority: "localhost:8080",
  path: "/item.v1.ItemService/Echo",
  route: "/item.v1.ItemService/Echo",
  status: 200,
  grpc_status: 5,
  started: "2026-01-01T00:00:00.000000000Z",
  first_octet_us: 100,
  duration_us: 1500,
  complete: true,
  c2s: { octets: 97 } as Octets,
  s2c: { octets: 103 } as Octets,
  messages: [],
};

export const NOTE: NoteTally = { code: "te-and-cl", severity: "violation", direction: "c2s", offset: 9, ref: null, text: "both" };
