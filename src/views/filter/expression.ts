import jsep from "jsep";
import { FilterError, shown } from "./filter-error.ts";
import { type ComparisonToken, type OperandToken, type Token, tokensOf } from "./tokens.ts";

/** A filter as a tree, before its names and types are checked. */
export type Expression =
  | { readonly kind: "&&" | "||"; readonly left: Expression; readonly right: Expression }
  | { readonly kind: "!"; readonly inner: Expression }
  | {
      readonly kind: "comparison";
      readonly left: OperandToken;
      readonly operator: ComparisonToken;
      readonly right: OperandToken;
    };

/** Parentheses and negations of one filter, which the parser nests: far below what fills the stack. */
export const NESTING_CAP = 256;

/**
 * Reads a filter: comparisons of two operands, joined by `!`, `&&`, `||`, which bind in that order, and parentheses. Throws FilterError.
 *
 * The order of tokens is checked here, for messages with a column. jsep then only makes the tree, of a skeleton in which operands are
 * numbers: its nodes have no positions, and its tables of operators belong to the whole process.
 */
export function parseExpression(text: string): Expression {
  const tokens = tokensOf(text);
  checkOrder(text, tokens);
  return expressionOf(text, tokens, jsep(tokens.map(skeletonOf).join(" ")));
}

function skeletonOf(token: Token, index: number): string {
  if (isOperand(token)) return `$${index}`;
  return token.kind === "comparison" ? "<" : token.kind;
}

function isOperand(token: Token): token is OperandToken {
  return token.kind === "text" || token.kind === "number" || token.kind === "name" || token.kind === "header";
}

/** Operands and operators take turns, and parentheses are closed. */
function checkOrder(text: string, tokens: readonly Token[]): void {
  const open: Token[] = [];
  let nested = 0;
  let wantsOperand = true;
  for (const token of tokens) {
    if (token.kind === "(" || token.kind === "!") {
      nested += 1;
      if (nested > NESTING_CAP) throw new FilterError(text, token.at, `more than ${NESTING_CAP} parentheses and negations`);
    }
    const startsOperand = isOperand(token) || token.kind === "(" || token.kind === "!";
    if (startsOperand !== wantsOperand) throw unexpected(text, token, wantsOperand);
    if (token.kind === "(") open.push(token);
    else if (token.kind === ")") {
      if (open.pop() === undefined) throw new FilterError(text, token.at, "a parenthesis is closed that was not opened");
    } else wantsOperand = !isOperand(token);
  }
  if (wantsOperand) {
    const what = tokens.length === 0 ? "the filter is empty" : "the filter ends too early";
    throw new FilterError(text, text.length, what, "a comparison is missing, such as status >= 500");
  }
  const unclosed = open.at(-1);
  if (unclosed !== undefined) throw new FilterError(text, unclosed.at, "a parenthesis is not closed");
}

function unexpected(text: string, token: Token, wantsOperand: boolean): FilterError {
  const what = `unexpected ${shown(text.slice(token.at, token.end))}`;
  return new FilterError(
    text,
    token.at,
    what,
    wantsOperand ? "a name or a constant is missing before it" : "an operator is missing before it",
  );
}

function expressionOf(text: string, tokens: readonly Token[], node: jsep.Expression): Expression {
  if (isUnary(node)) return { kind: "!", inner: expressionOf(text, tokens, node.argument) };
  if (isBinary(node)) {
    const { operator, left, right } = node;
    if (operator !== "<") {
      return {
        kind: operator === "&&" ? "&&" : "||",
        left: expressionOf(text, tokens, left),
        right: expressionOf(text, tokens, right),
      };
    }
    const comparison = tokens[operatorBefore(tokens, firstIndex(right))];
    const [from, to] = [operandOf(tokens, left), operandOf(tokens, right)];
    if (comparison?.kind === "comparison" && from !== null && to !== null) {
      return { kind: "comparison", left: from, operator: comparison, right: to };
    }
    throw notOperands(text, tokens, left, right);
  }
  const token = tokens[firstIndex(node)];
  const at = token?.at ?? 0;
  const what = `${shown(text.slice(at, token?.end))} alone is no condition`;
  throw new FilterError(text, at, what, "compare it, as in octets > 1000");
}

function notOperands(text: string, tokens: readonly Token[], left: jsep.Expression, right: jsep.Expression): FilterError {
  const at = tokens[firstIndex(operandOf(tokens, left) === null ? left : right)]?.at ?? 0;
  if (isUnary(left)) return new FilterError(text, at, "! binds closer than a comparison", "write !(… == …)");
  return new FilterError(text, at, "a condition cannot be compared", "join conditions with && or ||");
}

function operandOf(tokens: readonly Token[], node: jsep.Expression): OperandToken | null {
  const token = node.type === "Identifier" ? tokens[firstIndex(node)] : undefined;
  return token !== undefined && isOperand(token) ? token : null;
}

/** `octets > (5)`: parentheses leave no trace in the tree. */
function operatorBefore(tokens: readonly Token[], operand: number): number {
  let at = operand - 1;
  while (tokens[at]?.kind === "(") at -= 1;
  return at;
}

/** Index of the first operand below a node. */
function firstIndex(node: jsep.Expression): number {
  if (isUnary(node)) return firstIndex(node.argument);
  if (isBinary(node)) return firstIndex(node.left);
  return Number(String(node["name"]).slice(1));
}

function isUnary(node: jsep.Expression): node is jsep.UnaryExpression {
  return node.type === "UnaryExpression";
}

function isBinary(node: jsep.Expression): node is jsep.BinaryExpression {
  return node.type === "BinaryExpression";
}
