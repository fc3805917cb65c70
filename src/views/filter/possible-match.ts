import type { Expression } from "./expression.ts";
import { FILTER_NAMES } from "./names.ts";
import type { OperandToken } from "./tokens.ts";

/** What a filter is asked about. */
export type ItemKind = "unit" | "message" | "exchange" | "note";

const ALL_NAMES: readonly string[] = [...FILTER_NAMES.map(({ name }) => name), "header"];
const except = (...names: readonly string[]): ReadonlySet<string> => new Set(ALL_NAMES.filter((name) => !names.includes(name)));

/** The names that an item can have a value under; `header` stands for header("x"). */
const NAMES_OF: { readonly [K in ItemKind]: ReadonlySet<string> } = {
  unit: except("duration_us", "note"),
  message: except("type", "flags", "duration_us", "note"),
  exchange: except("dir", "type", "flags", "note"),
  note: new Set(["conn", "listener", "dir", "note"]),
};

/** What an expression can come to, over all items of a kind. */
interface Outcomes {
  readonly true: boolean;
  readonly false: boolean;
}

/** Whether any item of a kind could match: a comparison with a name that it never has is false. */
export function couldMatch(expression: Expression, kind: ItemKind): boolean {
  return outcomes(expression, NAMES_OF[kind]).true;
}

function outcomes(expression: Expression, names: ReadonlySet<string>): Outcomes {
  switch (expression.kind) {
    case "comparison":
      return { true: names.has(nameOf(expression.left)), false: true };
    case "!": {
      const inner = outcomes(expression.inner, names);
      return { true: inner.false, false: inner.true };
    }
    case "&&": {
      const [left, right] = [outcomes(expression.left, names), outcomes(expression.right, names)];
      return { true: left.true && right.true, false: left.false || right.false };
    }
    case "||": {
      const [left, right] = [outcomes(expression.left, names), outcomes(expression.right, names)];
      return { true: left.true || right.true, false: left.false && right.false };
    }
  }
}

function nameOf(operand: OperandToken): string {
  return operand.kind === "name" ? operand.name : operand.kind;
}
