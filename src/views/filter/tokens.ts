import { FilterError, shown } from "./filter-error.ts";

/** Units of a filter's text: nobody writes longer ones by hand, and a program that does should be told. */
export const FILTER_CAP = 4096;

interface Place {
  /** Where it stands in the filter's text, in UTF-16 units from 0. */
  readonly at: number;
  readonly end: number;
}

/** A quoted text; `raw` is it as written, with its quotes. */
export type TextToken = Place & { readonly kind: "text"; readonly value: string; readonly raw: string };
/** A number as written, decimal or hexadecimal. */
export type NumberToken = Place & { readonly kind: "number"; readonly value: number; readonly raw: string };
/** A bare word, whether it is a name of ours or not. */
export type NameToken = Place & { readonly kind: "name"; readonly name: string };
/** `header("x")`; `field` is in lower case. */
export type HeaderToken = Place & { readonly kind: "header"; readonly field: string };
export type OperandToken = TextToken | NumberToken | NameToken | HeaderToken;
/** Between a name and a constant. */
export type ComparisonToken = Place & { readonly kind: "comparison"; readonly operator: Comparison };
export type Token = OperandToken | ComparisonToken | (Place & { readonly kind: "&&" | "||" | "!" | "(" | ")" });

export type Comparison = "==" | "!=" | "<" | "<=" | ">" | ">=" | "~" | "contains";

const SPACE = /[ \t\r\n]+/y;
const TEXT = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/sy;
const NUMBER = /0[xX][0-9a-fA-F]+|[0-9]+/y;
/** With dots and hyphens, so that `grpc-status` and `http2.type` are one unknown name each. */
const WORD = /[\p{L}\p{N}_](?:[\p{L}\p{N}_.-]*[\p{L}\p{N}_])?/uy;
/** Nothing but `!` may touch an operator from behind: `!==` is not `!=` and something else. */
const OPERATOR = /(?:&&|\|\||[=!<>]=|[<>~!])(?![=<>~&|^])/y;
const OPERATOR_LIKE = /[=!<>~&|^]+/y;
const HEADER_CALL = /\s*\(\s*("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')\s*\)/sy;

/** What other languages write, and what it is here. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  "=": "==",
  "===": "==",
  "!==": "!=",
  "<>": "!=",
  "=~": "~",
  "~=": "~",
  "!~": "!(… ~ …)",
  "&": "&&",
  "|": "||",
  and: "&&",
  or: "||",
  not: "!",
  eq: "==",
  ne: "!=",
  lt: "<",
  le: "<=",
  gt: ">",
  ge: ">=",
  matches: "~",
};

/** Cuts a filter into tokens. Throws FilterError for what is none. */
export function tokensOf(text: string): readonly Token[] {
  if (text.length > FILTER_CAP) throw new FilterError(text, FILTER_CAP, `the filter is longer than ${FILTER_CAP} characters`);
  const tokens: Token[] = [];
  let at = 0;
  while (at < text.length) {
    const space = match(SPACE, text, at);
    if (space !== null) {
      at += space.length;
      continue;
    }
    const token = tokenAt(text, at);
    tokens.push(token);
    at = token.end;
  }
  return tokens;
}

/** Where in the filter's text unit `index` of a quoted text stands. */
export function placeIn(token: TextToken, index: number): number {
  let at = 1;
  for (let left = index; left > 0; left--) at += isEscape(token.raw, at) ? 2 : 1;
  return token.at + at;
}

function tokenAt(text: string, at: number): Token {
  const character = text[at] ?? "";
  if (character === "(" || character === ")") return { kind: character, at, end: at + 1 };
  if (character === '"' || character === "'") return textAt(text, at);
  const word = match(WORD, text, at);
  if (word !== null) return /^[0-9]/.test(word) ? numberAt(text, at, word) : wordAt(text, at, word);
  return operatorAt(text, at);
}

function textAt(text: string, at: number): TextToken {
  const raw = match(TEXT, text, at);
  if (raw === null) throw new FilterError(text, at, "a quote is not closed");
  return { kind: "text", at, end: at + raw.length, value: unquoted(raw), raw };
}

function numberAt(text: string, at: number, word: string): NumberToken {
  const raw = match(NUMBER, text, at);
  if (raw !== word) {
    throw new FilterError(
      text,
      at,
      `${shown(word)} is no number`,
      "numbers are whole, decimal or hexadecimal: 10, 0x0a; texts are quoted",
    );
  }
  const value = Number(raw);
  if (!Number.isSafeInteger(value)) throw new FilterError(text, at, `${shown(raw)} is too large a number`);
  return { kind: "number", at, end: at + raw.length, value, raw };
}

function wordAt(text: string, at: number, word: string): Token {
  const end = at + word.length;
  if (word === "contains") return { kind: "comparison", operator: word, at, end };
  if (word === "header") return headerAt(text, at, end);
  const instead = Object.hasOwn(ELSEWHERE, word) ? ELSEWHERE[word] : undefined;
  if (instead !== undefined) throw new FilterError(text, at, `${word} is no operator`, `write ${instead}`);
  return { kind: "name", at, end, name: word };
}

function headerAt(text: string, at: number, end: number): HeaderToken {
  HEADER_CALL.lastIndex = end;
  const call = HEADER_CALL.exec(text);
  if (call === null) throw new FilterError(text, at, "header needs the name of a field", 'write header("content-type")');
  return { kind: "header", at, end: end + call[0].length, field: unquoted(call[1] ?? "").toLowerCase() };
}

function operatorAt(text: string, at: number): Token {
  const operator = match(OPERATOR, text, at);
  switch (operator) {
    case null: {
      const run = match(OPERATOR_LIKE, text, at) ?? String.fromCodePoint(text.codePointAt(at) ?? 0);
      const instead = ELSEWHERE[run];
      throw new FilterError(text, at, `unexpected ${shown(run)}`, instead === undefined ? "" : `write ${instead}`);
    }
    case "&&":
    case "||":
    case "!":
      return { kind: operator, at, end: at + operator.length };
    default:
      return { kind: "comparison", operator: operator as Comparison, at, end: at + operator.length };
  }
}

function match(pattern: RegExp, text: string, at: number): string | null {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? null;
}

/** A backslash escapes a quote or a backslash, and else stands for itself: `"\d"` needs no second one. */
function unquoted(raw: string): string {
  return raw.slice(1, -1).replace(/\\(["'\\])/g, "$1");
}

function isEscape(raw: string, at: number): boolean {
  const next = raw[at + 1];
  return raw[at] === "\\" && (next === '"' || next === "'" || next === "\\");
}
