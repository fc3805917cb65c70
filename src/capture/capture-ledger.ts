import { C2S, type Direction, S2C } from "../decode/direction.ts";
import type { DecodeAs } from "../decode/first-octets.ts";
import type { Schemas } from "../decode/protobuf/message-type.ts";
import type { StackFor } from "../ledger/books.ts";
import type { ConnectionLedger } from "../ledger/connection-ledger.ts";
import { Ledger } from "../ledger/ledger.ts";
import type { LedgerListener } from "../ledger/listener.ts";
import type { CloseTally, PacketTally, PerDirection, Tally } from "../ledger/tally.ts";
import type { Conversation, ConversationHandler, Side } from "./conversation.ts";
import { other, type Roles, rolesOf } from "./roles.ts";
import type { ConversationSink } from "./write/capture-sink.ts";

/** How a capture is counted. */
export interface CaptureLedgerOptions {
  readonly generator: Tally["generator"];
  /** Names of the files, for `source.files`. */
  readonly files: readonly string[];
  /** Told when the time of the first packet is known: the views that follow. @param startedNs UTC nanoseconds since 1970. */
  readonly listenerFor: (startedNs: bigint) => LedgerListener | null;
  readonly schemas: Schemas | null;
  /** What is spoken on a server's port, whatever its octets look like. */
  readonly decodeAs: ReadonlyMap<number, DecodeAs>;
  readonly warmUp?: number;
  /** Decodes a connection in the place of the stack. */
  readonly stackFor?: StackFor;
  /** Told of the connections' octets as well, after the ledger; null: nobody is. */
  readonly sink?: ConversationSink | null;
}

/** Turns the conversations of a capture into connections of a ledger. Pure: conversations in, a document out. */
export class CaptureLedger implements ConversationHandler {
  readonly #options: CaptureLedgerOptions;
  readonly #open = new Map<Conversation, Entry>();
  /** The one that octets came for last, begun and open: the next ones are for it, mostly. */
  #latest: Entry | null = null;
  #ledger: Ledger | null = null;
  /** Null until a packet had a time. */
  #startedNs: bigint | null = null;
  #now = 0;
  /** The time that `#now` was last brought up to. */
  #atNs: bigint | null = null;
  #frameNumber: number | null = null;

  constructor(options: CaptureLedgerOptions) {
    this.#options = options;
  }

  /** Octets under `unattributed`, over all time. */
  get unattributed(): number {
    return this.#ledger?.unattributed ?? 0;
  }

  /** Directions whose sums did not close: our own bug, when it is not 0. */
  get broken(): number {
    return this.#ledger?.broken ?? 0;
  }

  /** The packet whose octets are being counted; null: what is being told comes from none. */
  get frameNumber(): number | null {
    return this.#frameNumber;
  }

  /** Everything counted so far. */
  tally(): Tally {
    return this.#at(null).tally(this.#now);
  }

  /** A packet of the capture is next, whatever it carries. */
  packet(timeNs: bigint | null): void {
    this.#at(timeNs);
  }

  open(conversation: Conversation, timeNs: bigint | null): void {
    this.#at(timeNs);
    const entry = new Entry(conversation, this.#now);
    this.#open.set(conversation, entry);
    // Where a SYN tells who the client is there is nothing to wait for.
    if (conversation.client !== null) this.#begin(entry, null);
  }

  data(conversation: Conversation, side: Side, octets: Uint8Array, packetNumber: number, timeNs: bigint | null): void {
    this.#at(timeNs);
    const entry = this.#begun(conversation, side, octets);
    const { connection } = entry;
    if (connection === null) return;
    const direction = entry.direction(side);
    this.#frameNumber = packetNumber;
    connection.delta(direction, octets, this.#now);
    this.#frameNumber = null;
    this.#options.sink?.delta(connection.facts.id, direction, octets, this.#nowNs);
  }

  gap(conversation: Conversation, side: Side, octets: number | null, timeNs: bigint | null): void {
    this.#at(timeNs);
    const entry = this.#open.get(conversation);
    if (entry === undefined) return;
    // A hole of unknown size is a beginning that was not captured. Without SYN that is so for both sides, and said when they open.
    if (octets === null && conversation.client === null) return;
    if (entry.connection !== null) this.#gap(entry, entry.connection, side, octets);
    else entry.gaps.push({ side, octets });
  }

  fin(conversation: Conversation, side: Side, timeNs: bigint | null): void {
    this.#at(timeNs);
    const entry = this.#begun(conversation, null, null);
    const { connection } = entry;
    entry.ends.push({ side, how: "fin" });
    if (connection === null) return;
    connection.end(entry.direction(side), this.#now);
    this.#options.sink?.fin(connection.facts.id, entry.direction(side), this.#nowNs);
  }

  reset(conversation: Conversation, side: Side, timeNs: bigint | null): void {
    this.#at(timeNs);
    const entry = this.#begun(conversation, null, null);
    const { connection } = entry;
    if (connection === null || entry.ends.some(({ how }) => how === "rst")) return;
    entry.ends.push({ side, how: "rst" });
    this.#options.sink?.reset(connection.facts.id, entry.direction(side), this.#nowNs);
  }

  close(conversation: Conversation, timeNs: bigint | null): void {
    this.#at(timeNs);
    const entry = this.#begun(conversation, null, null);
    const { connection } = entry;
    this.#open.delete(conversation);
    this.#latest = null;
    if (connection === null) return;
    connection.close(entry.closeTally, this.#now);
    this.#options.sink?.leave(connection.facts.id, this.#nowNs);
  }

  note(conversation: Conversation, side: Side, code: string, text: string): void {
    const entry = this.#begun(conversation, null, null);
    const { connection } = entry;
    const direction = entry.direction(side);
    connection?.note(code, "warning", direction, connection.offset(direction), null, text);
  }

  /** UTC nanoseconds since 1970. */
  get #nowNs(): bigint {
    return (this.#startedNs ?? 0n) + BigInt(this.#now);
  }

  #gap(entry: Entry, connection: ConnectionLedger, side: Side, octets: number | null): void {
    connection.gap(entry.direction(side), octets, this.#now);
    this.#options.sink?.gap(connection.facts.id, entry.direction(side), octets, this.#nowNs);
  }

  /** The ledger, at the time of a packet. Times never go back: a ledger's windows have no use for that. */
  #at(timeNs: bigint | null): Ledger {
    if (this.#ledger === null) {
      this.#startedNs = timeNs;
      const { generator, files, listenerFor, schemas, stackFor, warmUp } = this.#options;
      this.#ledger = new Ledger({
        kind: "capture",
        generator,
        files,
        startedNs: timeNs ?? 0n,
        listener: listenerFor(timeNs ?? 0n),
        schemas,
        ...(warmUp === undefined ? {} : { warmUp }),
        ...(stackFor === undefined ? {} : { stackFor }),
      });
    }
    // What a packet brings has its time, mostly.
    if (timeNs !== null && timeNs !== this.#atNs) {
      this.#atNs = timeNs;
      // A capture that begins without times has a start that nobody knows; the spans between its packets can be known all the same.
      this.#startedNs ??= timeNs;
      this.#now = Math.max(this.#now, Number(timeNs - this.#startedNs));
    }
    return this.#ledger;
  }

  /** The entry of a conversation, begun. @param side, octets that came first, if it begins with any. */
  #begun(conversation: Conversation, side: Side | null, octets: Uint8Array | null): Entry {
    if (this.#latest?.conversation === conversation) return this.#latest;
    const entry = this.#open.get(conversation);
    if (entry === undefined) return new Entry(conversation, this.#now);
    if (entry.connection === null) this.#begin(entry, side === null || octets === null ? null : { side, octets });
    this.#latest = entry;
    return entry;
  }

  #begin(entry: Entry, first: FirstOctets | null): void {
    const { conversation, openedNs } = entry;
    const { decodeAs } = this.#options;
    const roles = rolesOf(conversation, first, (port) => decodeAs.has(port));
    const late = roles.by === "syn" ? ([false, false] as const) : ([true, true] as const);
    entry.roles = roles;
    const server = other(roles.client);
    const facts = {
      listener: "",
      client: conversation.endpoints[roles.client],
      server: conversation.endpoints[server],
    };
    const connection = this.#at(null).open(facts, openedNs, {
      ordinal: conversation.ordinal,
      late,
      decodeAs: decodeAs.get(conversation.ports[server]) ?? null,
      packets: () => entry.packets,
    });
    entry.connection = connection;
    this.#options.sink?.open(connection.facts, (this.#startedNs ?? 0n) + BigInt(openedNs), late);
    if (roles.by !== "syn") {
      const how = { port: "its port was named", content: "what was said first", "lower-port": "the lower port" }[roles.by];
      connection.note("inferred-roles", "info", C2S, 0, null, `no SYN was seen: the server was told by ${how}`);
    }
    for (const { side, octets } of entry.gaps) this.#gap(entry, connection, side, octets);
    entry.gaps.length = 0;
  }
}

interface FirstOctets {
  readonly side: Side;
  readonly octets: Uint8Array;
}

/** One conversation and its connection, once its roles are known. */
class Entry {
  readonly conversation: Conversation;
  readonly openedNs: number;
  connection: ConnectionLedger | null = null;
  roles: Roles | null = null;
  readonly gaps: { readonly side: Side; readonly octets: number | null }[] = [];
  readonly ends: { readonly side: Side; readonly how: "fin" | "rst" }[] = [];

  constructor(conversation: Conversation, openedNs: number) {
    this.conversation = conversation;
    this.openedNs = openedNs;
  }

  direction(side: Side): Direction {
    return side === (this.roles?.client ?? 0) ? C2S : S2C;
  }

  /** What the capture saw of its end; null: the capture was over first. */
  get closeTally(): CloseTally | null {
    const [first] = this.ends;
    const reset = this.ends.find(({ how }) => how === "rst");
    if (first === undefined || (reset === undefined && this.ends.length < 2)) return null;
    const name = (side: Side): "client" | "server" => (this.direction(side) === C2S ? "client" : "server");
    return {
      by: name((reset ?? first).side),
      how: reset === undefined ? "fin" : "rst",
      code: null,
      order: this.ends.map(({ side }) => name(side)),
    };
  }

  get packets(): PerDirection<PacketTally> {
    const client = this.roles?.client ?? 0;
    const { counts } = this.conversation;
    return { c2s: counts[client], s2c: counts[other(client)] };
  }
}
