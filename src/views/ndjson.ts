import { frameTypeName, octetString, REPRESENTATION_NAMES } from "http2-frame-parser";
import { DIRECTION_NAMES, type Direction } from "../decode/direction.ts";
import type { Detail } from "../decode/sink.ts";
import { OPCODE_NAMES } from "../decode/websocket/opcodes.ts";
import type { H2FrameDetail, UnitDetail, UnitField, WireUnit } from "../decode/wire-unit.ts";
import type { ConnectionFacts, LedgerListener } from "../ledger/listener.ts";
import type { CloseTally, ExchangeTally, MessageTally, NoteTally, Tally } from "../ledger/tally.ts";
import { rfc3339 } from "../ledger/time.ts";
import { safeJson, utf8Text } from "./escape.ts";
import type { EventField, FrameEvent, WireEvent } from "./events.ts";
import type { Redactor } from "./redact.ts";
import { redactExchange } from "./redact-tally.ts";
import { TextRedactor } from "./redact-text.ts";

export interface NdjsonOptions {
  readonly redactor: Redactor;
  /** UTC nanoseconds since 1970 of the ledger's start. */
  readonly startedNs: bigint;
  /** The packet of a capture that is being read, for frames; null: there is none. */
  readonly frameNumber?: (() => number | null) | null;
  /** Takes one event as one line of JSON, its line end included. */
  readonly write: (line: string) => void;
}

const SCHEMA = "wiretally.event/1";
const NOWHERE = { connection: null, exchange: null, direction: null, offset: null, octets: null } as const;
const NEVER_CLOSED = { by: null, how: null, code: null, order: [] } as const;

/** Tells what passes as NDJSON, one `wiretally.event/1` a line. Does no I/O: `write` does. */
export class NdjsonStream implements LedgerListener {
  readonly detail: Detail = 2;
  readonly messages = true;
  readonly #options: NdjsonOptions;
  readonly #texts: TextRedactor;

  constructor(options: NdjsonOptions) {
    this.#options = options;
    this.#texts = new TextRedactor(options.redactor);
  }

  /** A listener is ready. @param time nanoseconds since the ledger's start, as in every call. */
  listening(listener: Tally["source"]["listeners"][number], time: number): void {
    this.#emit({ schema: SCHEMA, event: "listening", time: this.#at(time), ...NOWHERE, ...listener });
  }

  connection({ id, listener, client, server }: ConnectionFacts, time: number): void {
    const base = { schema: SCHEMA, event: "connection", time: this.#at(time), ...NOWHERE, connection: id } as const;
    this.#emit({ ...base, listener, client, server });
  }

  unit(connection: ConnectionFacts, unit: WireUnit, time: number): void {
    const { detail, exchange, direction, offset, octets } = unit;
    const frame = detail.kind === "h2.frame" ? detail : null;
    const record = detail.kind === "tls.record" ? detail : null;
    const socket = detail.kind === "ws.frame" ? detail : null;
    const packet = this.#options.frameNumber?.() ?? null;
    const event: FrameEvent = {
      schema: SCHEMA,
      event: "frame",
      time: this.#at(time),
      connection: connection.id,
      exchange: exchange?.id ?? null,
      direction: DIRECTION_NAMES[direction],
      offset,
      octets,
      kind: detail.kind,
      truncated: unit.truncated,
      type: typeOf(detail),
      flags: frame?.flags ?? null,
      stream: frame?.streamId ?? null,
      length: frame?.length ?? record?.length ?? socket?.length ?? null,
      "http2.streamid": frame?.streamId ?? null,
      "http2.type": frame?.type ?? null,
      ...(packet === null ? {} : { "frame.number": packet }),
      values: unitValues(detail, this.#options.redactor),
      fields: unit.fields.map((field) => eventField(field, this.#options.redactor)),
      fields_omitted: unit.fieldsOmitted,
    };
    this.#emit(event);
  }

  message(connection: ConnectionFacts, exchange: string, direction: Direction, message: MessageTally, time: number): void {
    const { octets, index, compressed, payload_octets, type } = message;
    const base = {
      schema: SCHEMA,
      event: "message",
      time: this.#at(time),
      connection: connection.id,
      exchange,
    } as const;
    this.#emit({ ...base, direction: DIRECTION_NAMES[direction], offset: null, octets, index, compressed, payload_octets, type });
  }

  exchange(connection: ConnectionFacts, exchange: ExchangeTally, time: number): void {
    const { id, messages: _, ...rest } = redactExchange(exchange, this.#texts);
    const base = { schema: SCHEMA, event: "exchange", time: this.#at(time), ...NOWHERE, connection: connection.id } as const;
    this.#emit({ ...base, exchange: id, octets: exchange.c2s.octets + exchange.s2c.octets, ...rest });
  }

  note(connection: ConnectionFacts, note: NoteTally, time: number): void {
    const { code, severity, direction, offset, ref, text } = note;
    const base = { schema: SCHEMA, event: "note", time: this.#at(time), ...NOWHERE, connection: connection.id } as const;
    this.#emit({ ...base, direction, offset, code, severity, ref, text: this.#texts.text(text) });
  }

  close(connection: ConnectionFacts, close: CloseTally | null, octets: readonly [c2s: number, s2c: number], time: number): void {
    const [c2s, s2c] = octets;
    const base = { schema: SCHEMA, event: "close", time: this.#at(time), ...NOWHERE, connection: connection.id } as const;
    this.#emit({ ...base, octets: c2s + s2c, ...(close ?? NEVER_CLOSED), c2s_octets: c2s, s2c_octets: s2c });
  }

  #at(time: number): string {
    return rfc3339(this.#options.startedNs, time);
  }

  #emit(event: WireEvent): void {
    this.#options.write(`${safeJson(event)}\n`);
  }
}

function eventField(field: UnitField, redactor: Redactor): EventField {
  const { name, value, octets, neverIndexed, hpack } = field;
  const shown = value === null ? null : redactor.fieldValue(name, value, neverIndexed);
  return {
    ...textOrHex("name", name === null ? null : redactor.fieldName(name)),
    ...textOrHex("value", shown),
    octets,
    representation: hpack === null ? null : (REPRESENTATION_NAMES[hpack.representation] ?? null),
    index: hpack?.index ?? null,
  };
}

function textOrHex<K extends "name" | "value">(key: K, octets: string | null): { [P in K]: string | null } {
  const text = octets === null ? null : utf8Text(octets);
  const plain = { [key]: text } as { [P in K]: string | null };
  return octets === null || text !== null ? plain : { ...plain, [`${key}_hex`]: Buffer.from(octets, "latin1").toString("hex") };
}

function typeOf(detail: UnitDetail): FrameEvent["type"] {
  if (detail.kind === "tls.record") return detail.contentType;
  if (detail.kind === "ws.frame") return OPCODE_NAMES.get(detail.opcode) ?? hexOf(detail.opcode);
  return detail.kind === "h2.frame" ? (frameTypeName(detail.type) ?? hexOf(detail.type)) : null;
}

function hexOf(code: number): string {
  return `0x${code.toString(16)}`;
}

function unitValues(detail: UnitDetail, redactor: Redactor): FrameEvent["values"] {
  switch (detail.kind) {
    case "h2.frame":
      return frameValues(detail, redactor);
    case "http1.request_head":
    case "http1.response_head":
      return textValue("start_line", redactor.startLine(detail.startLine));
    case "http1.chunk":
      return { size: detail.size };
    case "http1.body":
      return { framing: detail.framing };
    case "tls.record":
      return { version: detail.version };
    case "ws.frame":
      return { opcode: detail.opcode, fin: detail.fin, rsv: detail.rsv, masked: detail.masked };
    case "proxy.header":
      return { version: detail.version, ...textValue("text", redactor.text(detail.text)) };
    case "h2.preface":
    case "http1.trailers":
    case "http1.last_chunk":
    case "http1.malformed":
    case "unattributed":
      return {};
  }
}

function frameValues(frame: H2FrameDetail, redactor: Redactor): FrameEvent["values"] {
  const {
    malformed,
    padLength,
    priority,
    promisedStreamId,
    settings,
    increment,
    errorCode,
    lastStreamId,
    debugData,
    opaqueData,
  } = frame;
  return {
    ...(frame.reserved === 0 ? {} : { reserved: 1 }),
    ...(malformed ? { malformed } : {}),
    ...(padLength === null ? {} : { pad_length: padLength }),
    ...(priority === null ? {} : { exclusive: priority.exclusive, dependency: priority.dependency, weight: priority.weight }),
    ...(promisedStreamId === null ? {} : { promised_stream: promisedStreamId }),
    ...(settings === null ? {} : { settings }),
    ...(opaqueData === null ? {} : { opaque_data: Buffer.from(opaqueData).toString("hex") }),
    ...(increment === null ? {} : { increment }),
    ...(lastStreamId === null ? {} : { last_stream: lastStreamId }),
    ...(errorCode === null ? {} : { error_code: errorCode }),
    ...(debugData === null ? {} : textValue("debug_data", redactor.text(octetString(debugData, 0, debugData.length)))),
  };
}

function textValue(name: string, octets: string): { readonly [name: string]: string } {
  const text = utf8Text(octets);
  return text === null ? { [`${name}_hex`]: Buffer.from(octets, "latin1").toString("hex") } : { [name]: text };
}
