import type { Direction } from "../../decode/direction.ts";
import type { Exchange } from "../../decode/exchange.ts";
import type { WireUnit } from "../../decode/wire-unit.ts";
import type { ConnectionFacts } from "../../ledger/listener.ts";
import type { ExchangeTally, MessageTally, NoteTally } from "../../ledger/tally.ts";
import { type Condition, comparison } from "./comparison.ts";
import { type Expression, parseExpression } from "./expression.ts";
import type { HeaderMemory, HeaderTest } from "./header-test.ts";
import { ExchangeItem, MessageItem, NoteItem, UnitItem } from "./items.ts";
import { couldMatch, type ItemKind } from "./possible-match.ts";

/**
 * Reads the expression of `-Y`. Throws {@link FilterError}, and nothing else.
 *
 *     status >= 500 && !(path ~ "^/health")
 *     type == "RST_STREAM" || header("content-type") contains "grpc"
 *
 * A comparison has a name on its left and a constant on its right: a quoted text, or a whole number, decimal or 0x…. In a text a
 * backslash escapes a quote or a backslash, and else stands for itself. `~` is a regular expression that may match anywhere (no back
 * references, no look-around; `(?i)` in front: in any case). `!` binds closest, then comparisons, `&&`, `||`.
 *
 * A name without a value at an item makes every comparison false, `!=` too; where there are several values (lines of one field), `!=` is
 * true when none is equal. As in Wireshark 4, `!(x == y)` also holds where there is no x.
 */
export function parseFilter(text: string): Filter {
  const headers: HeaderTest[] = [];
  const expression = parseExpression(text);
  return new Filter(expression, conditionOf(text, expression, headers), headers);
}

/** Says of things that pass whether they are wanted. Texts of the wire are compared as documents show them, secrets included. */
export class Filter {
  /** `headers`: units must come with their field lines (Detail 2). */
  readonly needs: { readonly headers: boolean };
  /** Its `header("x")` comparisons, for a {@link HeaderMemory}. */
  readonly headerTests: readonly HeaderTest[];
  readonly #expression: Expression;
  readonly #condition: Condition;

  constructor(expression: Expression, condition: Condition, headerTests: readonly HeaderTest[]) {
    this.#expression = expression;
    this.needs = { headers: headerTests.length > 0 };
    this.headerTests = headerTests;
    this.#condition = condition;
  }

  /** Whether it can match anything of a kind: not, when it asks for what that kind never has. */
  couldMatch(kind: ItemKind): boolean {
    return couldMatch(this.#expression, kind);
  }

  /** A frame, head, chunk, record …: its own values, its own field lines, and what is known of its exchange so far. */
  unit(connection: ConnectionFacts, unit: WireUnit): boolean {
    return this.#condition(new UnitItem(connection, unit));
  }

  /** @param headers what its field lines came to; null: not known, header() has no value. */
  exchange(connection: ConnectionFacts, exchange: ExchangeTally, headers: HeaderMemory | null = null): boolean {
    return this.#condition(new ExchangeItem(connection, exchange, headers));
  }

  /**
   * A gRPC message: its own direction and octets, all else from its exchange as known so far; null: nothing is known.
   * @param headers as for {@link exchange}.
   */
  message(
    connection: ConnectionFacts,
    exchange: Exchange | null,
    direction: Direction,
    message: MessageTally,
    headers: HeaderMemory | null = null,
  ): boolean {
    return this.#condition(new MessageItem(connection, exchange, direction, message, headers));
  }

  /** A note has conn, listener, dir and note. */
  note(connection: ConnectionFacts, note: NoteTally): boolean {
    return this.#condition(new NoteItem(connection, note));
  }
}

function conditionOf(text: string, expression: Expression, headers: HeaderTest[]): Condition {
  switch (expression.kind) {
    case "comparison":
      return comparison(text, expression, headers);
    case "!": {
      const inner = conditionOf(text, expression.inner, headers);
      return (item) => !inner(item);
    }
    case "&&": {
      const [left, right] = [conditionOf(text, expression.left, headers), conditionOf(text, expression.right, headers)];
      return (item) => left(item) && right(item);
    }
    case "||": {
      const [left, right] = [conditionOf(text, expression.left, headers), conditionOf(text, expression.right, headers)];
      return (item) => left(item) || right(item);
    }
  }
}
