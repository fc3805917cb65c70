import { C2S, S2C } from "../decode/direction.ts";
import type { Protocol } from "../decode/exchange.ts";
import type { Account } from "./account.ts";
import type { ExchangeRecord } from "./exchange-record.ts";
import type { FieldTable } from "./field-table.ts";
import type { H2Facts } from "./h2-facts.ts";
import type { ConnectionFacts } from "./listener.ts";
import type { NoteList } from "./note-list.ts";
import { levelsOf } from "./octets.ts";
import type { CloseTally, ConnectionTally, PacketTally, PerDirection } from "./tally.ts";
import { rfc3339 } from "./time.ts";
import { type TlsRecords, tlsOf } from "./tls-records.ts";

/** A connection's document without its exchanges: what is kept of it once it is closed. */
export interface ConnectionPieces {
  readonly head: Omit<ConnectionTally, "fields" | "h2" | "tls" | "packets" | "exchanges" | "notes">;
  readonly fields: readonly [FieldTable, FieldTable];
  readonly tail: Pick<ConnectionTally, "h2" | "tls" | "packets">;
  readonly notes: NoteList;
}

/** What the pieces are made from; pairs are by direction. */
export interface ConnectionState {
  readonly facts: ConnectionFacts;
  /** UTC epoch nanoseconds of time 0. */
  readonly startedNs: bigint;
  readonly openedNs: number;
  readonly now: number;
  readonly close: CloseTally | null;
  readonly protocol: Protocol | null;
  readonly account: Account;
  readonly undelivered: Float64Array;
  readonly fields: readonly [FieldTable, FieldTable];
  /** Null when it never was HTTP/2. */
  readonly h2: H2Facts | null;
  readonly tls: TlsRecords;
  readonly notes: NoteList;
  /** Null: it is not read from packets. */
  readonly packets: PerDirection<PacketTally> | null;
}

/** The pieces as of now. */
export function piecesOf(state: ConnectionState): ConnectionPieces {
  const { account, fields } = state;
  const head: ConnectionPieces["head"] = {
    id: state.facts.id,
    listener: state.facts.listener,
    client: state.facts.client,
    server: state.facts.server,
    protocol: state.protocol,
    opened: rfc3339(state.startedNs, state.openedNs),
    closed: state.close === null ? null : rfc3339(state.startedNs, state.now),
    close: state.close,
    c2s: account.tally(C2S),
    s2c: account.tally(S2C),
    levels: { c2s: levelsOf(account.levels, C2S), s2c: levelsOf(account.levels, S2C) },
    undelivered: { c2s: state.undelivered[C2S] ?? 0, s2c: state.undelivered[S2C] ?? 0 },
  };
  const tail: ConnectionPieces["tail"] = {
    h2: state.h2?.tally({ c2s: fields[C2S].hpackSaving, s2c: fields[S2C].hpackSaving }, state.now) ?? null,
    tls: tlsOf(state.tls),
    packets: state.packets === null ? null : { c2s: packetsOf(state.packets.c2s), s2c: packetsOf(state.packets.s2c) },
  };
  return { head, fields, tail, notes: state.notes };
}

/** A copy: whoever counts goes on counting. */
function packetsOf(packets: PacketTally): PacketTally {
  return { ...packets, header_octets: { ...packets.header_octets } };
}

/** The document of a connection. @param exchanges listed and live ones, in any order. */
export function connectionTally(
  { head, fields, tail, notes }: ConnectionPieces,
  exchanges: readonly ExchangeRecord[],
  startedNs: bigint,
): ConnectionTally {
  const inOrder = [...exchanges].sort((a, b) => a.ordinal - b.ordinal);
  return {
    ...head,
    fields: { c2s: fields[C2S].tally(), s2c: fields[S2C].tally() },
    ...tail,
    exchanges: inOrder.map((record) => record.tally(startedNs)),
    notes: notes.tally(),
  };
}
