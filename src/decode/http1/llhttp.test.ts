import assert from "node:assert/strict";
import { test } from "node:test";
import { everyCut, pieces } from "../../../test/cuts.ts";
import { Http1Driver, octets } from "../../../test/http1-driver.ts";
import { type LlhttpEvent, type LlhttpVector, llhttpVectors } from "../../../test/llhttp-vectors.ts";
import type { RecordedNote } from "../../../test/recording-sink.ts";
import { skipWithoutShared } from "../../../test/shared.ts";
import { C2S, type Direction, S2C } from "../direction.ts";

/** Notes about a message that llhttp does not look at, or that only say what followed. */
const SILENT = new Set(["host-missing", "response-unasked", "after-error", "truncated"]);

/** Where our result is another one than llhttp's, and the section of RFC 9112 that says so. */
const EXCEPTIONS = new Map([
  ["request/invalid.md: HTTP protocol and ANNOUNCE method", "§3.1: a method is any token"],
  ["request/invalid.md: Invalid method", "§3.1: a method is any token"],
  ["request/invalid.md: Invalid HTTP version", "§8: the line has no end, so it is incomplete, not judged"],
  ["request/invalid.md: Invalid space after start line", "§8: the line has no end, so it is incomplete, not judged"],
  ["request/invalid.md: Headers separated by LF", "§2.2: a recipient may take a lone LF as line end"],
  ["request/invalid.md: Empty headers separated by LF", "§2.2: a recipient may take a lone LF as line end"],
  ["request/invalid.md: Missing CR between headers", "§2.2: a recipient may take a lone LF as line end"],
  ["request/invalid.md: Only LFs present", "§2.2: a recipient may take a lone LF as line end"],
  ["response/sample.md: No carriage ret", "§2.2: a recipient may take a lone LF as line end"],
  ["request/method.md: SOURCE request with ICE", "§2.3: HTTP-name is HTTP"],
  ["request/method.md: OPTIONS request with RTSP", "§2.3: HTTP-name is HTTP"],
  ["request/method.md: ANNOUNCE request with RTSP", "§2.3: HTTP-name is HTTP"],
  ["response/sample.md: RTSP response", "§2.3: HTTP-name is HTTP"],
  ["response/sample.md: ICE response", "§2.3: HTTP-name is HTTP"],
  ["response/sample.md: HTTP version 0.9", "§2.3: other major versions are framed in other ways"],
  ["request/sample.md: No HTTP version", "§3: a request-line has three parts"],
  ["request/method.md: PRI request HTTP2", "§3: what follows the head is no request-line; llhttp pauses there"],
]);

/** Where the spans are llhttp's, and we say in addition that a rule was broken. */
const STRICTER = new Map([
  ["request/method.md: CONNECT with body", "connect-content"],
  ["response/connection.md: HTTP 101 response with Upgrade and Content-Length header", "cl-forbidden"],
  ["response/connection.md: HTTP 101 response with Upgrade and Transfer-Encoding header", "te-forbidden"],
  ["response/connection.md: HTTP 304 with Content-Length", "empty-line-before-response"],
  ["response/connection.md: HTTP 100 first, then 400", "empty-line-before-response"],
  ["response/pipelining.md: Should parse multiple events", "empty-line-before-response"],
  ["response/sample.md: Response starting with CRLF", "empty-line-before-response"],
  ["response/sample.md: No reason phrase", "status-line-space"],
]);

const skip = skipWithoutShared("corpora", "llhttp");

/** A 101 answers a request: this one. */
const UPGRADE = "GET / HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: h2c\r\n\r\n";

interface Result {
  readonly driver: Http1Driver;
  readonly direction: Direction;
  /** The category under each octet. */
  readonly owners: readonly string[];
  /** Notes that say something is wrong. */
  readonly faults: readonly RecordedNote[];
}

function run(vector: LlhttpVector, cut: readonly number[], end = true): Result {
  const direction = vector.type.startsWith("response") ? S2C : C2S;
  const driver = new Http1Driver(0);
  if (direction === S2C && stopsAt(vector) !== null) driver.push(C2S, octets(UPGRADE));
  for (const piece of pieces(vector.input, cut)) driver.push(direction, piece);
  if (end) driver.end(direction);
  const owners = driver.sink.runs[direction].flatMap(({ length, category }) =>
    Array<string>(length).fill(category.startsWith("body.") ? "body" : category),
  );
  const faults = driver.sink.notes.filter((note) => note.direction === direction && !SILENT.has(note.code));
  return { driver, direction, owners, faults };
}

const errorOf = (vector: LlhttpVector): LlhttpEvent | undefined =>
  vector.events.find(({ text }) => text.startsWith("error code=") && !text.includes("Pause on "));
/** Where llhttp pauses because another protocol follows; null: it does not. */
const stopsAt = (vector: LlhttpVector): number | null =>
  vector.events.find(({ text }) => text.includes("Pause on CONNECT/Upgrade"))?.offset ?? null;

/** All differences between llhttp's events and what we made of the octets; none is the aim. */
function differences(vector: LlhttpVector): string[] {
  const result = run(vector, [vector.input.length]);
  const error = errorOf(vector);
  if (error !== undefined) {
    // A fault by the octet where llhttp stops, which is one past the octet that it refuses.
    const seen = result.faults.some(({ severity, offset }) => severity === "violation" && offset <= error.offset);
    return seen ? [] : [`llhttp refuses it: ${error.text}`];
  }
  const found = result.faults.flatMap(({ code }) =>
    STRICTER.get(vector.name) === code ? [] : [`llhttp takes it, we say ${code}`],
  );
  for (const event of vector.events) {
    const wrong = event.span === null ? eventDifference(event, result) : spanDifference(event, result, vector);
    if (wrong !== null) found.push(`off=${event.offset} len=${event.length} ${event.span ?? event.text}: ${wrong}`);
  }
  return found.concat(messageDifferences(vector, result));
}

function spanDifference({ offset, length, span }: LlhttpEvent, { owners }: Result, { input }: LlhttpVector): string | null {
  // A start-line without its end is no line: llhttp tells its parts as they come.
  const unfinished = !input.includes(0x0a, offset) && span !== "body";
  const wanted = unfinished ? "unattributed.truncated" : categoryOf(span ?? "");
  let [from, to] = [offset, offset + length];
  if (span === "header_value") {
    // llhttp's value spans take whitespace with them.
    while (from < to && (input[from] === 0x20 || input[from] === 0x09)) from++;
    while (to > from && (input[to - 1] === 0x20 || input[to - 1] === 0x09)) to--;
  }
  const inTrailer = owners[from] === "http1.trailer" && span?.startsWith("header_");
  for (let at = from; at < to; at++) {
    if (owners[at] !== (inTrailer ? "http1.trailer" : wanted)) return `octet ${at} is ${owners[at]}`;
  }
  const exact = (span === "header_field" || span === "header_value") && !inTrailer && to > from;
  return exact && (owners[from - 1] === wanted || owners[to] === wanted) ? "the span is longer" : null;
}

function categoryOf(span: string): string {
  if (span === "header_field") return "http1.field_line.name";
  if (span === "header_value") return "http1.field_line.value";
  if (span === "body") return "body";
  return span.startsWith("chunk_extension") ? "http1.chunk_size" : "http1.start_line";
}

function eventDifference({ offset, text }: LlhttpEvent, { owners, driver, direction }: Result): string | null {
  if (text.startsWith("headers complete")) {
    const status = Number(/status=(\d+)/.exec(text)?.[1] ?? 0);
    if (status >= 200 && driver.sink.exchanges.every((exchange) => exchange.status !== status)) return "another status";
    return owners[offset - 1] === "http1.head_end" && owners[offset] !== "http1.head_end"
      ? null
      : `ends in ${owners[offset - 1]}`;
  }
  const size = /^chunk header len=(\d+)/.exec(text);
  if (size === null) return null;
  if (size[1] === "0") return owners[offset - 1] === "http1.last_chunk" ? null : `last chunk is ${owners[offset - 1]}`;
  const body = driver.sink.runs[direction].find((each) => each.offset === offset && each.category.startsWith("body."));
  return owners[offset - 1] === "http1.chunk_size" && body?.length === Number(size[1]) ? null : "another chunk";
}

/** Methods and targets of the messages; the number of body octets. */
function messageDifferences(vector: LlhttpVector, { driver, direction, owners }: Result): string[] {
  const found: string[] = [];
  const spanOctets = (span: string) =>
    vector.events.filter((event) => event.span === span).reduce((sum, event) => sum + event.length, 0);
  const ours = (category: string) => owners.filter((owner) => owner === category).length;
  if (spanOctets("body") !== ours("body")) found.push(`${ours("body")} body octets, llhttp has ${spanOctets("body")}`);
  const names = vector.events.filter((event) => event.span === "header_field" && owners[event.offset] !== "http1.trailer");
  const nameOctets = names.reduce((sum, event) => sum + event.length, 0);
  if (nameOctets !== ours("http1.field_line.name")) found.push("other field names");
  if (direction === C2S) {
    const texts = (span: string) =>
      vector.events.flatMap((event) =>
        event.span === span
          ? [Buffer.from(vector.input.subarray(event.offset, event.offset + event.length)).toString("latin1")]
          : [],
      );
    // llhttp tells a method before its line is whole.
    const heads = vector.events.filter(({ text }) => text.startsWith("headers complete")).length;
    const methods = driver.sink.exchanges.map(({ method }) => method).slice(0, heads);
    const targets = driver.sink.exchanges.map(({ path }) => path).slice(0, heads);
    if (methods.join() !== texts("method").slice(0, heads).join()) found.push(`methods ${methods.join()}`);
    if (targets.join() !== texts("url").slice(0, heads).join()) found.push(`targets ${targets.join()}`);
  }
  const stop = stopsAt(vector);
  if (stop !== null && owners.length !== stop) found.push(`HTTP/1 ends at ${owners.length}, not ${stop}`);
  return found;
}

const isStrict = ({ type }: Pick<LlhttpVector, "type">) => type === "request" || type === "response";

test("llhttp's vectors: the right spans, or an exception with its section", { skip }, (t) => {
  const vectors = llhttpVectors().filter(isStrict);
  const wrong = new Map(
    vectors.map((vector) => [vector.name, differences(vector)] as const).filter(([, list]) => list.length > 0),
  );
  t.diagnostic(
    `${vectors.length} vectors: ${EXCEPTIONS.size} exceptions, ${STRICTER.size} with the same spans and a violation more`,
  );
  assert.deepEqual(
    [...wrong].filter(([name]) => !EXCEPTIONS.has(name)),
    [],
  );
  assert.deepEqual(
    [...EXCEPTIONS.keys()].filter((name) => !wrong.has(name)),
    [],
  );
  assert.deepEqual([vectors.length, EXCEPTIONS.size, STRICTER.size], [151, 17, 8]);
});

test("what is stricter than llhttp is said", { skip }, () => {
  for (const vector of llhttpVectors().filter(({ name, type }) => STRICTER.has(name) && isStrict({ type }))) {
    const { faults } = run(vector, [vector.input.length]);
    assert.deepEqual([...new Set(faults.map(({ code }) => code))], [STRICTER.get(vector.name)], vector.name);
  }
});

test("llhttp's URLs in absolute-form: the authority is theirs", { skip }, () => {
  let compared = 0;
  for (const { name, type, input, events } of llhttpVectors()) {
    const host = events.find(({ span }) => span === "url.host");
    if (type !== "url" || host === undefined || events.some(({ text }) => text.startsWith("error"))) continue;
    if (!events.some(({ span }) => span === "url.schema")) continue;
    const text = Buffer.from(input).toString("latin1");
    const driver = new Http1Driver(0);
    driver.push(C2S, octets(`GET ${text} HTTP/1.1\r\nHost: other\r\n\r\n`));
    // llhttp's host span takes userinfo with it; RFC 9110 §4.2.4: it is no part of the authority that is asked.
    const expected = text.slice(host.offset, host.offset + host.length).replace(/^.*@/, "");
    assert.equal(driver.sink.exchanges[0]?.authority, expected, name);
    compared += 1;
  }
  assert.equal(compared, 14);
});

test("every llhttp vector, lenient ones too: every octet has its owner, at every cut", { skip }, () => {
  for (const vector of llhttpVectors().filter(({ type }) => type !== "url")) {
    const whole = run(vector, [vector.input.length]);
    for (const cut of everyCut(vector.input.length)) {
      assert.deepEqual(
        run(vector, cut).driver.sink.figures(),
        whole.driver.sink.figures(),
        `${vector.name} cut at ${cut.slice(0, 9).join()}`,
      );
    }
  }
});
