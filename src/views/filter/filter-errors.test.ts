import assert from "node:assert/strict";
import { test } from "node:test";
import { NESTING_CAP } from "./expression.ts";
import { parseFilter } from "./filter.ts";
import { FilterError } from "./filter-error.ts";
import { FILTER_CAP } from "./tokens.ts";

function errorOf(text: string): FilterError {
  try {
    parseFilter(text);
  } catch (error) {
    assert.ok(error instanceof FilterError, `${text}: ${error}`);
    return error;
  }
  assert.fail(`${text} was accepted`);
}

test("what is wrong, where, and what to write instead", () => {
  const table: [text: string, column: number, what: RegExp, hint: RegExp][] = [
    ["stauts == 200", 1, /unknown name stauts/, /did you mean status\?/],
    ["octets > 1 && tpye == 1", 15, /unknown name tpye/, /did you mean type\?/],
    ["grpc-status == 1", 1, /unknown name grpc-status/, /did you mean grpc_status\?/],
    ["STATUS == 1", 1, /unknown name STATUS/, /did you mean status\?/],
    ['headers("x") == "y"', 8, /unexpected \(/, /operator/],
    ["bandwidth > 1", 1, /unknown name bandwidth/, /names are conn, listener, .*, header/],
    ["toString == 1", 1, /unknown name toString/, /names are/],
    ['__proto__ == "x"', 1, /unknown name __proto__/, /names are/],
    // Types.
    ['octets > "1000"', 10, /octets is a number, and "1000" is a text/, /without quotes/],
    ["path == 1", 9, /path is a text, and 1 is a number/, /quotes/],
    ["type == HEADERS", 9, /type is a text, and HEADERS is none/, /write "HEADERS"/],
    ["status == ok", 11, /status is a number, and ok is none/, /^$/],
    ["status == grpc_status", 11, /compared with a constant only/, /^$/],
    ['path == header("x")', 9, /compared with a constant only/, /^$/],
    ['header("content-length") > 10', 28, /is a text, and 10 is a number/, /quotes/],
    ['path < "b"', 6, /< compares numbers, and path is a text/, /== != ~ contains/],
    ['header("a") >= "b"', 13, />= compares numbers/, /contains/],
    ["octets ~ 1", 8, /~ looks into texts/, /numbers take/],
    ["octets contains 1", 8, /contains looks into texts/, /numbers take/],
    ["200 == status", 1, /constant stands on the left/, /write status first/],
    ["1 == 1", 1, /constant stands on the left/, /as in/],
    // Values that cannot be.
    ['dir == "c2c"', 8, /dir is never "c2c"/, /did you mean "c2s"\?/],
    ['protocol == "http/1.1"', 13, /protocol is never/, /one of h2, http1/],
    ['type != "HEADER"', 9, /type is never "HEADER"/, /did you mean "HEADERS"\?/],
    ['type == "0x1ff"', 9, /type is never "0x1ff"/, /one of DATA/],
    // Operators of other languages.
    ["status = 200", 8, /unexpected =/, /write ==/],
    ["status === 200", 8, /unexpected ===/, /write ==/],
    ["status !== 200", 8, /unexpected !==/, /write !=/],
    ['path =~ "x"', 6, /unexpected =~/, /write ~/],
    ['path !~ "x"', 6, /unexpected !~/, /!\(/],
    ['path matches "x"', 6, /matches is no operator/, /write ~/],
    ["status == 1 and octets > 1", 13, /and is no operator/, /write &&/],
    ["status == 1 & octets > 1", 13, /unexpected &/, /write &&/],
    ["not octets > 1", 1, /not is no operator/, /write !/],
    ["flags & 4 == 4", 7, /unexpected &/, /write &&/],
    // Order.
    ["", 1, /empty/, /comparison is missing/],
    ["  ", 3, /empty/, /comparison is missing/],
    ["octets", 1, /octets alone is no condition/, /compare it/],
    ["!octets", 2, /octets alone is no condition/, /compare it/],
    ["octets > 1 && status", 15, /status alone/, /compare it/],
    ["octets >", 9, /ends too early/, /missing/],
    ["octets > 1 &&", 14, /ends too early/, /missing/],
    ["!", 2, /ends too early/, /missing/],
    ["&& octets > 1", 1, /unexpected &&/, /missing before it/],
    ["octets > > 1", 10, /unexpected >/, /missing before it/],
    ["octets > 1 status == 1", 12, /unexpected status/, /operator is missing/],
    ["octets > 1 !(status == 1)", 12, /unexpected !/, /operator is missing/],
    ["octets (1)", 8, /unexpected \(/, /operator is missing/],
    ["(octets > 1)(status > 1)", 13, /unexpected \(/, /operator is missing/],
    ["()", 2, /unexpected \)/, /missing/],
    ["(octets > 1", 1, /not closed/, /^$/],
    ["((octets > 1)", 1, /not closed/, /^$/],
    ["octets > 1)", 11, /not opened/, /^$/],
    ["!octets == 1", 2, /! binds closer/, /write !\(/],
    ["octets == !stream", 12, /condition cannot be compared/, /&&/],
    ["1 < octets < 5", 1, /condition cannot be compared/, /&&/],
    ["octets == (status == 1)", 12, /condition cannot be compared/, /&&/],
    // Characters.
    ["octets > 1; status > 1", 11, /unexpected ;/, /^$/],
    ["octets > -1", 10, /unexpected -/, /^$/],
    ["octets > 1.5", 10, /1.5 is no number/, /whole/],
    ["octets > 10k", 10, /10k is no number/, /whole/],
    ["octets > 0x", 10, /0x is no number/, /whole/],
    ["octets > 9007199254740993", 10, /too large/, /^$/],
    ['path == "x', 9, /quote is not closed/, /^$/],
    ["path == 'x\\'", 9, /quote is not closed/, /^$/],
    ["header == 1", 1, /header needs the name of a field/, /write header\(/],
    ["header(x) == 1", 1, /header needs the name of a field/, /write header\(/],
    ["octets > 1 \u202e", 12, /unexpected \\u202e/, /^$/],
    // Columns count characters; after escapes, those of the pattern as written.
    ['path == "😀" && nix == 1', 16, /unknown name nix/, /names are/],
    ['path ~ "a(b"', 10, /parenthesis is not closed in the pattern/, /^$/],
    ['path ~ "\\"\\\\d(b"', 14, /parenthesis is not closed in the pattern/, /^$/],
    ['path ~ "(a)\\1"', 12, /back references/, /^$/],
  ];
  for (const [text, column, what, hint] of table) {
    const { message, column: found } = errorOf(text);
    assert.match(message, what, text);
    const told = / \((.*)\)$/.exec(message.slice(message.indexOf(" at column ")))?.[1] ?? "";
    assert.match(told, hint, text);
    assert.equal(found, column, `${text}: ${message}`);
    assert.ok(message.includes(` at column ${column}`), message);
  }
});

test("a message is one short line, whatever the filter", () => {
  const texts = [
    `${"x".repeat(4000)} == 1`,
    'path == 1 || "\n\u001b[31m" == 2',
    "\u001b[31m",
    `type == "${"é".repeat(2000)}"`,
    "a\nb",
  ];
  for (const text of texts) {
    const { message } = errorOf(text);
    assert.ok(message.length < 300 && /^[\x20-\x7e\u2026é]*$/.test(message), JSON.stringify(message));
  }
});

test("filters are bounded", () => {
  assert.match(errorOf(" ".repeat(FILTER_CAP + 1)).message, /longer than 4096/);
  const nested = (depth: number): string => `${"(".repeat(depth)}octets > 1${")".repeat(depth)}`;
  parseFilter(nested(NESTING_CAP));
  assert.match(errorOf(nested(NESTING_CAP + 1)).message, /more than 256 parentheses/);
  assert.match(errorOf(`${"!".repeat(NESTING_CAP + 1)}(octets > 1)`).message, /more than 256 parentheses/);
  parseFilter(Array(400).fill("stream>1").join("||"));
});
