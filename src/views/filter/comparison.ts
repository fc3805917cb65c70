import type { Expression } from "./expression.ts";
import { FilterError, shown } from "./filter-error.ts";
import { HEADER_SEEN, type HeaderTest } from "./header-test.ts";
import type { Item } from "./item.ts";
import { FILTER_NAMES, filterName, type NumberName, type TextName } from "./names.ts";
import { didYouMean } from "./nearest-word.ts";
import { Pattern } from "./pattern/pattern.ts";
import { PatternError } from "./pattern/pattern-error.ts";
import { type Comparison, type OperandToken, placeIn, type TextToken } from "./tokens.ts";

/** Whether an item is wanted. */
export type Condition = (item: Item) => boolean;
type ComparisonExpression = Extract<Expression, { kind: "comparison" }>;

const NAMES = [...FILTER_NAMES.map((row) => row.name), "header"];
const UNKNOWN_TYPE = /^0x[0-9a-f]{1,2}$/;

/** Checks the names and types of one comparison and makes it a condition. Throws FilterError. @param headers takes its header test. */
export function comparison(text: string, expression: ComparisonExpression, headers: HeaderTest[]): Condition {
  return new ComparisonReader(text, expression).condition(headers);
}

class ComparisonReader {
  readonly #text: string;
  readonly #left: OperandToken;
  readonly #operator: Comparison;
  readonly #operatorAt: number;
  readonly #right: OperandToken;

  constructor(text: string, { left, operator, right }: ComparisonExpression) {
    this.#text = text;
    this.#left = left;
    this.#operator = operator.operator;
    this.#operatorAt = operator.at;
    this.#right = right;
  }

  condition(headers: HeaderTest[]): Condition {
    const left = this.#left;
    if (left.kind === "header") return this.#header(left.field, headers);
    if (left.kind !== "name") throw this.#constantFirst(left);
    const row = filterName(left.name);
    if (row === undefined) throw this.#unknownName(left.at, left.name);
    switch (row.kind) {
      case "text":
        return this.#textCondition(row.name, row.values);
      case "number":
        return this.#numberCondition(row.name);
      case "type":
        return this.#typeCondition(row.values);
    }
  }

  #textCondition(name: TextName, values: readonly string[] | null): Condition {
    const wanted = this.#textConstant(name);
    if (values !== null && !values.includes(wanted.value)) this.#checkValue(name, wanted, values);
    const accepts = this.#textTest(name, wanted, false);
    const negated = this.#operator === "!=";
    return (item) => {
      const value = item[name];
      return value !== null && accepts(value) !== negated;
    };
  }

  #numberCondition(name: NumberName): Condition {
    const right = this.#right;
    if (right.kind !== "number") throw this.#notConstant(right, name, "a number");
    const accepts = this.#numberTest(name, right.value);
    return (item) => {
      const value = item[name];
      return value !== null && accepts(value);
    };
  }

  #typeCondition(values: readonly string[]): Condition {
    if (this.#right.kind === "number") {
      const accepts = this.#numberTest("type", this.#right.value);
      return (item) => item.type !== null && accepts(item.type.code);
    }
    const wanted = this.#textConstant("type");
    const isKnown = values.some((value) => value.toLowerCase() === wanted.value.toLowerCase());
    if (!isKnown && !UNKNOWN_TYPE.test(wanted.value.toLowerCase())) this.#checkValue("type", wanted, values);
    const accepts = this.#textTest("type", wanted, true);
    const negated = this.#operator === "!=";
    return (item) => item.type !== null && accepts(item.type.name) !== negated;
  }

  #header(field: string, headers: HeaderTest[]): Condition {
    const name = `header("${shown(field)}")`;
    const wanted = this.#textConstant(name);
    const test: HeaderTest = { index: headers.length, field, accepts: this.#textTest(name, wanted, false) };
    headers.push(test);
    const seen = this.#operator === "!=" ? HEADER_SEEN.refused : HEADER_SEEN.accepted;
    return (item) => item.header(test) === seen;
  }

  /** For `!=`, the test of `==`: the caller turns it round, as only it knows how many values there are. */
  #textTest(name: string, wanted: TextToken, anyCase: boolean): (value: string) => boolean {
    const { value } = wanted;
    const folded = anyCase ? value.toLowerCase() : value;
    const fold = (text: string): string => (anyCase ? text.toLowerCase() : text);
    // As a text: of the operators some are for the other kind of value.
    switch (this.#operator as string) {
      case "==":
      case "!=":
        return (text) => fold(text) === folded;
      case "contains":
        return (text) => fold(text).includes(folded);
      case "~": {
        const pattern = this.#pattern(wanted, anyCase);
        return (text) => pattern.test(text);
      }
      default:
        throw this.#error(
          this.#operatorAt,
          `${this.#operator} compares numbers, and ${name} is a text`,
          "texts take == != ~ contains",
        );
    }
  }

  #numberTest(name: string, wanted: number): (value: number) => boolean {
    // As a text: of the operators some are for the other kind of value.
    switch (this.#operator as string) {
      case "==":
        return (value) => value === wanted;
      case "!=":
        return (value) => value !== wanted;
      case "<":
        return (value) => value < wanted;
      case "<=":
        return (value) => value <= wanted;
      case ">":
        return (value) => value > wanted;
      case ">=":
        return (value) => value >= wanted;
      default:
        throw this.#error(
          this.#operatorAt,
          `${this.#operator} looks into texts, and ${name} is compared with a number`,
          "numbers take == != < <= > >=",
        );
    }
  }

  #pattern(wanted: TextToken, anyCase: boolean): Pattern {
    try {
      return new Pattern(wanted.value, anyCase);
    } catch (error) {
      if (error instanceof PatternError) throw this.#error(placeIn(wanted, error.at), error.message);
      throw error;
    }
  }

  #textConstant(name: string): TextToken {
    if (this.#right.kind !== "text") throw this.#notConstant(this.#right, name, "a text");
    return this.#right;
  }

  /** A value that there cannot be makes a comparison that never says anything. */
  #checkValue(name: string, wanted: TextToken, values: readonly string[]): void {
    if (this.#operator !== "==" && this.#operator !== "!=") return;
    const near = didYouMean(wanted.value, values, '"');
    throw this.#error(wanted.at, `${name} is never ${shown(wanted.raw)}`, near === "" ? `one of ${values.join(", ")}` : near);
  }

  #constantFirst(left: OperandToken): FilterError {
    const { name } = { name: "", ...this.#right };
    const hint = filterName(name) === undefined ? "as in status >= 500" : `write ${name} first`;
    return this.#error(left.at, "a constant stands on the left of a comparison", hint);
  }

  #notConstant(right: OperandToken, name: string, kind: "a number" | "a text"): FilterError {
    const what = `${name} is ${kind}`;
    switch (right.kind) {
      case "text":
        return this.#error(right.at, `${what}, and ${shown(right.raw)} is a text`, "write numbers without quotes");
      case "number":
        return this.#error(right.at, `${what}, and ${shown(right.raw)} is a number`, "put it in quotes");
      case "header":
        return this.#error(right.at, `${what}, and is compared with a constant only`);
      case "name": {
        const word = shown(right.name);
        if (filterName(right.name) !== undefined) return this.#error(right.at, `${what}, and is compared with a constant only`);
        return this.#error(right.at, `${what}, and ${word} is none`, kind === "a text" ? `write "${word}"` : "");
      }
    }
  }

  #unknownName(at: number, name: string): FilterError {
    const near = didYouMean(name, NAMES);
    return this.#error(at, `unknown name ${shown(name)}`, near === "" ? `names are ${NAMES.join(", ")}` : near);
  }

  #error(at: number, what: string, hint = ""): FilterError {
    return new FilterError(this.#text, at, what, hint);
  }
}
