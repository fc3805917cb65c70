import { frameTypeName } from "http2-frame-parser";
import { DIRECTION_NAMES, type Direction, type DirectionName } from "../../decode/direction.ts";
import type { Exchange, Protocol } from "../../decode/exchange.ts";
import { CONTENT_TYPES } from "../../decode/tls/registry.ts";
import { OPCODE_NAMES } from "../../decode/websocket/opcodes.ts";
import type { UnitDetail, WireUnit } from "../../decode/wire-unit.ts";
import type { ConnectionFacts } from "../../ledger/listener.ts";
import { routeName } from "../../ledger/route-name.ts";
import type { ExchangeTally, MessageTally, NoteTally } from "../../ledger/tally.ts";
import { textOf, textOrNull } from "../../ledger/text.ts";
import { type HeaderMemory, type HeaderTest, lookAt } from "./header-test.ts";
import { Item, type TypeValue } from "./item.ts";

/** What belongs to an exchange that is under way: its values are those known so far. */
class ExchangePart extends Item {
  readonly #exchange: Exchange | null;
  readonly #direction: Direction;

  constructor(connection: ConnectionFacts, exchange: Exchange | null, direction: Direction) {
    super(connection);
    this.#exchange = exchange;
    this.#direction = direction;
  }

  override get dir(): DirectionName {
    return DIRECTION_NAMES[this.#direction];
  }
  override get protocol(): Protocol | null {
    return this.#exchange?.protocol ?? null;
  }
  override get stream(): number | null {
    return this.#exchange?.stream ?? null;
  }
  override get method(): string | null {
    return textOrNull(this.#exchange?.method ?? null);
  }
  override get authority(): string | null {
    return textOrNull(this.#exchange?.authority ?? null);
  }
  override get path(): string | null {
    return textOrNull(this.#exchange?.path ?? null);
  }
  override get route(): string | null {
    return this.#exchange === null ? null : textOf(routeName(this.#exchange));
  }
  override get status(): number | null {
    return this.#exchange?.status ?? null;
  }
  override get grpc_status(): number | null {
    return this.#exchange?.grpcStatus ?? null;
  }
}

/** A frame, head, chunk, record … */
export class UnitItem extends ExchangePart {
  readonly #unit: WireUnit;

  constructor(connection: ConnectionFacts, unit: WireUnit) {
    super(connection, unit.exchange, unit.direction);
    this.#unit = unit;
  }

  override get protocol(): Protocol | null {
    return super.protocol ?? protocolOf(this.#unit.detail);
  }
  override get stream(): number | null {
    const { detail } = this.#unit;
    return detail.kind === "h2.frame" ? detail.streamId : super.stream;
  }
  override get type(): TypeValue | null {
    return typeOf(this.#unit.detail);
  }
  override get flags(): number | null {
    const { detail } = this.#unit;
    return detail.kind === "h2.frame" ? detail.flags : null;
  }
  override get octets(): number {
    return this.#unit.octets;
  }
  override header(test: HeaderTest): number {
    return lookAt(this.#unit.fields, test);
  }
}

/** A gRPC message. */
export class MessageItem extends ExchangePart {
  readonly #message: MessageTally;
  readonly #headers: HeaderMemory | null;

  constructor(
    connection: ConnectionFacts,
    exchange: Exchange | null,
    direction: Direction,
    message: MessageTally,
    headers: HeaderMemory | null,
  ) {
    super(connection, exchange, direction);
    this.#message = message;
    this.#headers = headers;
  }

  override get octets(): number {
    return this.#message.octets;
  }
  override header(test: HeaderTest): number {
    return this.#headers?.of(test) ?? 0;
  }
}

/** An exchange as documents have it. */
export class ExchangeItem extends Item {
  readonly #exchange: ExchangeTally;
  readonly #headers: HeaderMemory | null;

  constructor(connection: ConnectionFacts, exchange: ExchangeTally, headers: HeaderMemory | null) {
    super(connection);
    this.#exchange = exchange;
    this.#headers = headers;
  }

  override get protocol(): Protocol {
    return this.#exchange.protocol;
  }
  override get stream(): number | null {
    return this.#exchange.stream;
  }
  override get octets(): number {
    return this.#exchange.c2s.octets + this.#exchange.s2c.octets;
  }
  override get method(): string | null {
    return this.#exchange.method;
  }
  override get authority(): string | null {
    return this.#exchange.authority;
  }
  override get path(): string | null {
    return this.#exchange.path;
  }
  override get route(): string | null {
    return this.#exchange.route;
  }
  override get status(): number | null {
    return this.#exchange.status;
  }
  override get grpc_status(): number | null {
    return this.#exchange.grpc_status;
  }
  override get duration_us(): number | null {
    return this.#exchange.duration_us;
  }
  override header(test: HeaderTest): number {
    return this.#headers?.of(test) ?? 0;
  }
}

/** A note; it belongs to a direction of its connection, and to no exchange. */
export class NoteItem extends Item {
  readonly #note: NoteTally;

  constructor(connection: ConnectionFacts, note: NoteTally) {
    super(connection);
    this.#note = note;
  }

  override get dir(): DirectionName {
    return this.#note.direction;
  }
  override get note(): string {
    return this.#note.code;
  }
}

function typeOf(detail: UnitDetail): TypeValue | null {
  if (detail.kind === "h2.frame") return { code: detail.type, name: frameTypeName(detail.type) ?? unknownType(detail.type) };
  if (detail.kind === "ws.frame")
    return { code: detail.opcode, name: OPCODE_NAMES.get(detail.opcode) ?? unknownType(detail.opcode) };
  if (detail.kind !== "tls.record" || detail.contentType === null) return null;
  const code = detail.contentType;
  return { code, name: CONTENT_TYPES.find((row) => row.code === code)?.name ?? unknownType(code) };
}

function unknownType(code: number): string {
  return `0x${code.toString(16)}`;
}

/** What a unit without an exchange is part of. */
function protocolOf({ kind }: UnitDetail): Protocol | null {
  if (kind.startsWith("h2.")) return "h2";
  if (kind.startsWith("http1.")) return "http1";
  if (kind === "ws.frame") return "ws";
  return kind === "tls.record" ? "tls" : null;
}
