import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { HpackEncoder, huffmanEncode, PREFACE, writeData, writeGoaway, writeHeaders, writeSettings } from "http2-frame-parser";
import { feed, type Transcript, uncut } from "../../test/replay.ts";
import { C2S, type Direction, S2C } from "../decode/direction.ts";
import { Ledger } from "../ledger/ledger.ts";
import type { LedgerListener } from "../ledger/listener.ts";
import { NdjsonStream } from "./ndjson.ts";
import { Redactor } from "./redact.ts";
import { summaryText } from "./summary.ts";
import { tallyJson } from "./tally-json.ts";
import { createTheme } from "./theme.ts";
import { TRACE_LEVELS } from "./trace/levels.ts";
import { Trace } from "./trace/trace.ts";

/** Fields whose values are credentials, cookies aside. */
const FIELDS = ["authorization", "proxy-authorization", "x-api-key", "x-auth-token", "x-amz-security-token", "x-csrf-token"];
/** Letters that no text of the program's own has six of in a row. */
const secret = fc
  .array(fc.constantFrom(..."GHJKQWXZghjkqwxz"), { minLength: 16, maxLength: 24 })
  .map((letters) => letters.join(""));

const latin1 = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, "latin1"));
const encoded = (text: string): string => Array.from(latin1(text), (octet) => `%${octet.toString(16)}`).join("");

const upper = (name: string): string => name.toUpperCase();
/** A sensitive parameter in the spellings that clients use. */
const parameter = fc
  .tuple(
    fc.constantFrom("token", "password", "access_token", "sig", "x-api-key", "tenant"),
    fc.constantFrom<(name: string) => string>(
      (name) => name,
      upper,
      encoded,
      (name) => `%${name.charCodeAt(0).toString(16)}${name.slice(1)}`,
      (name) => encoded(encoded(name)),
      (name) => `user[${name}]`,
      (name) => `${name}[]`,
      (name) => `a.${name}`,
      (name) => `+${name}`,
    ),
    fc.constantFrom<(name: string, value: string) => string>(
      (name, value) => `${name}=${value}`,
      (name, value) => `a=1;${name}=${value}`,
      (name, value) => `a=1,${name}=${value}`,
      (name, value) => `${name}=&a&${name}=x&${name}=${value}&b=2`,
      (name, value) => `${name}="${value}"`,
      (name, value) => `${name}=<${value}>`,
      (name, value) => `${name}=a?b;c,d=${value}`,
      (name, value) => `a=1&amp;${name}=${value}`,
      (name, value) => `to=${encoded(`http://h/?${name}=${value}`)}`,
      (name, value) => `to=${encoded(encoded(`/?a&${name}=${value}`))}`,
      (name, value) => `to${encoded(`=1&${name}=${value}`)}`,
      (name, value) => `{"${name}":"${value}"}`,
    ),
  )
  .map(
    ([name, spell, write]) =>
      (value: string): string =>
        write(spell(name), value),
  );

type Write = (value: string) => string;

/** A URL with the secret in its userinfo, query, path or fragment. */
const url: fc.Arbitrary<Write> = fc.oneof(
  fc.constantFrom<Write>(
    (value) => `http://user:${value}@h.example/a`,
    (value) => `http://${value}@h.example:80/?a=1`,
    (value) => `HTTPS://u:"<${value}>"@h.example/`,
    (value) => `/redirect?to=http://u:${value}@h.example/`,
    (value) => `/redirect?to=${encoded(`http://u:${value}@h.example/`)}`,
    (value) => `http://u:a@b@${value}@h.example/`,
  ),
  fc.tuple(parameter, fc.constantFrom("/a?", "http://h.example/a?x=y&", "/a#", "/cb;", "/a%3F", "?")).map(
    ([write, before]): Write =>
      (value) =>
        `${before}${write(value)}`,
  ),
);

/** The same, and what only a peer that means harm would write: white space in the middle of a value. */
const wireUrl: fc.Arbitrary<Write> = fc.oneof(
  { weight: 4, arbitrary: url },
  { weight: 1, arbitrary: fc.constant<Write>((value) => `/?token=a ${value}`) },
);

const authority = fc.constantFrom<Write>(
  (value) => `u:${value}@h.example:443`,
  (value) => `${value}@h.example`,
  (value) => `u:${value}/?#@h.example:443`,
  (value) => `u@${value}@h.example:443`,
);

const cookie = fc.constantFrom<Write>(
  (value) => `sid=${value}`,
  (value) => `a=1; sid=${value}; b=2`,
  (value) => value,
  (value) => `a="x; ${value}=1"; b=2`,
  (value) => `a=1, ${value}; b=2`,
);
const setCookie = fc.constantFrom<Write>(
  (value) => `sid=${value}; Path=/; HttpOnly`,
  (value) => `a=1; Path=/, sid=${value}`,
  (value) => `a=1; Path=/?token=${value}`,
  (value) => `a=1; Expires=Wed, 21 Oct 2015 07:28:00 GMT, sid=${value}`,
  (value) => `a=1; ${value}; Secure`,
  (value) => `a=1; x=${value}`,
);

type Line = readonly [name: string, value: string, never?: boolean];
type WriteLine = (value: string) => Line;

const titled = (name: string): string => name.replace(/(?<=^|-)[a-z]/g, upper);
const casing = fc.constantFrom<(name: string) => string>((name) => name, upper, titled);

/** A field line of a request or a response with the secret in it. */
const line: fc.Arbitrary<WriteLine> = fc.oneof(
  fc.constantFrom(...FIELDS, "x-tenant").map(
    (name): WriteLine =>
      (value) => [name, `Bearer ${value}`],
  ),
  cookie.map(
    (write): WriteLine =>
      (value) => ["cookie", write(value)],
  ),
  setCookie.map(
    (write): WriteLine =>
      (value) => ["set-cookie", write(value)],
  ),
  fc
    .tuple(
      fc.constantFrom("referer", "location", "content-location", "origin", "x-original-url", "x-forwarded-uri", "link", "x-any"),
      wireUrl,
    )
    .map(
      ([name, write]): WriteLine =>
        (value) => [name, write(value)],
    ),
  url.map(
    (write): WriteLine =>
      (value) => ["link", `<${write(value)}>; rel=next`],
  ),
  url.map(
    (write): WriteLine =>
      (value) => ["refresh", `0; url=${write(value)}`],
  ),
  url.map(
    (write): WriteLine =>
      (value) => ["grpc-message", encoded(`no such ${write(value)}`)],
  ),
  fc.constant<WriteLine>((value) => ["x-json", `{"a": 1, "password" : "${value}"}`]),
);

/** What passes one way after the other. */
type Talk = (value: string) => readonly (readonly [Direction, Uint8Array])[];

const head = (start: string, lines: readonly Line[]): Uint8Array =>
  latin1(`${start}\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`);

const http1: fc.Arbitrary<Talk> = fc
  .record({
    method: fc.constantFrom("GET", "CONNECT", "connect"),
    target: wireUrl,
    asAuthority: fc.option(authority),
    host: fc.option(authority),
    lines: fc.array(line, { maxLength: 3 }),
    answer: fc.array(line, { maxLength: 3 }),
    write: casing,
    malformed: fc.option(
      fc.constantFrom<Write>(
        (value) => `GET /?token=${value} HTTP/3.0\r\n\r\n`,
        (value) => `GET /?token=${value}`,
        (value) => `GET / HTTP/1.1\r\nHost: a\r\nReferer : http://u:${value}@h/\r\n\r\n`,
        (value) => `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5, 6\r\n\r\npassword=${value}`,
        (value) =>
          `POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1;token=${value}\r\na\r\n0;${value}\r\nCookie: ${value}\r\n\r\n`,
        (value) => `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 50\r\n\r\npassword=${value}`,
      ),
    ),
  })
  .map(({ method, target, asAuthority, host, lines, answer, write, malformed }) => (value) => {
    const named = (given: readonly WriteLine[]): Line[] =>
      given.map((make) => {
        const [name, text] = make(value);
        return [write(name), text];
      });
    const request = `${method} ${(asAuthority ?? target)(value)} HTTP/1.1`;
    return [
      [C2S, head(request, [["Host", host?.(value) ?? "a"], ...named(lines)])],
      [S2C, head(`HTTP/1.1 403 ${target(value)}`, [["Content-Length", "0"], ...named(answer)])],
      [C2S, latin1(malformed?.(value) ?? "")],
    ];
  });

const http2: fc.Arbitrary<Talk> = fc
  .record({
    extended: fc.boolean(),
    grpc: fc.boolean(),
    late: fc.boolean(),
    huffman: fc.boolean(),
    target: wireUrl,
    authority,
    debug: url,
    // The same lines once more are indexed representations.
    lines: fc.array(line, { maxLength: 3 }),
    never: fc.boolean(),
    maxFragment: fc.constantFrom(16, 16384),
  })
  .map(({ extended, grpc, late, huffman, target, authority: host, debug, lines, never, maxFragment }) => (value) => {
    const hpack = [new HpackEncoder({ huffman }), new HpackEncoder({ huffman })] as const;
    const fields = lines.map((make) => {
      const [name, text] = make(value);
      return { name, value: text, representation: "indexed" as const };
    });
    const request = hpack[C2S];
    const requestBlock = (): Uint8Array =>
      request.encode([
        { name: ":method", value: extended ? "CONNECT" : "POST" },
        { name: ":path", value: target(value) },
        { name: ":authority", value: host(value) },
        ...(grpc ? [{ name: "content-type", value: "application/grpc" }] : []),
        ...fields,
        ...(never ? [{ name: "x-unheard-of", value, representation: "never" as const }] : []),
      ]);
    const response = (): Uint8Array => hpack[S2C].encode([{ name: ":status", value: "200" }, ...fields]);
    // A name that a table of before the capture has, and the entry that this line makes.
    const unknownName = Uint8Array.of(0x7f, 0x40, value.length, ...latin1(value));
    return [
      [C2S, late ? new Uint8Array(0) : Uint8Array.from([...PREFACE, ...writeSettings([])])],
      [S2C, writeSettings([])],
      [C2S, writeHeaders(1, requestBlock(), { maxFragment })],
      [C2S, writeData(1, latin1(`password=${value}`), { endStream: true })],
      [S2C, writeHeaders(1, response(), { endStream: true })],
      [C2S, writeHeaders(3, requestBlock(), { endStream: true, maxFragment })],
      [S2C, writeHeaders(3, response(), { endStream: true })],
      ...(late
        ? ([
            [C2S, writeHeaders(5, unknownName)],
            [C2S, writeHeaders(7, Uint8Array.of(0xbe))],
          ] as const)
        : []),
      [S2C, writeGoaway(7, 1, { debugData: latin1(`at ${debug(value)}`) })],
    ];
  });

/** A JSON text with the secret as the value of a sensitive member, below one, or in a string that quotes one. */
const jsonText: fc.Arbitrary<Write> = fc.constantFrom<Write>(
  (value) => `{"name":"bob","password":"${value}"}`,
  (value) => `{"user":{"Password":["x",{"a":"${value}"}]},"b":1}`,
  (value) => `[{"accessToken":"${value}"},{"x-api-key" : "${value}"}]`,
  (value) => `{"p\\u0061ssword":"${value}"}`,
  (value) => `{"tenant":"${value}", "x-tenant":{"${value}":1}}`,
  (value) => `{"a":"http:\\/\\/u:${value}@h.example\\/"}`,
  (value) => `{"a":"https://u\\u003a${value}@h.example/x","b":["?token=${value}"]}`,
  (value) => `{"a":"Authorization: Bearer ${value}"}`,
  (value) => `{"http://u:${value}@h.example/":1}`,
  (value) => `{"password":"x${value}`,
  (value) => `{"password": ${value}}`,
);

/** The same up and down: by its length, and in pieces that may part the secret from what tells that it is one. */
const json: fc.Arbitrary<Talk> = fc
  .tuple(jsonText, fc.integer({ min: 1, max: 60 }), fc.boolean())
  .map(([write, piece, h2]) => (value) => {
    const text = latin1(write(value));
    const pieces = Array.from({ length: Math.ceil(text.length / piece) }, (_, at) => text.subarray(at * piece, (at + 1) * piece));
    if (h2) {
      const fields = [":method POST", ":path /", "content-type application/json"].map((field) => {
        const [name = "", text = ""] = field.split(" ");
        return { name, value: text };
      });
      return [
        [C2S, Uint8Array.from([...PREFACE, ...writeSettings([]), ...writeHeaders(1, new HpackEncoder().encode(fields))])],
        ...pieces.map((octets): readonly [Direction, Uint8Array] => [C2S, writeData(1, octets)]),
      ];
    }
    const chunks = pieces.flatMap((octets) => [latin1(`${octets.length.toString(16)}\r\n`), octets, latin1("\r\n")]);
    const type = "Content-Type: application/json\r\n";
    return [
      [C2S, latin1(`POST / HTTP/1.1\r\nHost: a\r\n${type}Content-Length: ${text.length}\r\n\r\n`)],
      [C2S, text],
      [S2C, latin1(`HTTP/1.1 200 OK\r\n${type}Transfer-Encoding: chunked\r\n\r\n`)],
      [S2C, Buffer.concat([...chunks, latin1("0\r\n\r\n")])],
    ];
  });

describe("secrets leave the process in no view", () => {
  for (const [name, talk] of [["HTTP/1", http1] as const, ["HTTP/2", http2] as const, ["JSON", json] as const]) {
    test(name, () => {
      fc.assert(
        fc.property(talk, secret, (say, value) => {
          const given = transcript(say(value));
          const traces = signsOf(value);
          for (const [view, text] of viewsOf(given, new Redactor({ names: ["x-tenant", "tenant"] }))) {
            const at = traces.map((sign) => text.indexOf(sign)).find((index) => index >= 0);
            assert.equal(at, undefined, `${view}: ${JSON.stringify(text.slice(Math.max(0, (at ?? 0) - 80), (at ?? 0) + 20))}`);
          }
        }),
        { numRuns: 200 },
      );
    });
  }

  test("and with --show-secrets all of them show it, so that the test above can fail", () => {
    const value = "GHJKQWXZGHJKQWXZ";
    const given = transcript([[C2S, head(`GET /?token=${value} HTTP/1.1`, [["Host", "a"]])]]);
    for (const [view, text] of viewsOf(given, new Redactor({ showSecrets: true }))) {
      if (view === "trace off" || view === "summary") continue;
      assert.ok(text.includes(value), view);
    }
  });
});

function transcript(turns: readonly (readonly [Direction, Uint8Array])[]): Transcript {
  const octets: [Uint8Array, Uint8Array] = [new Uint8Array(0), new Uint8Array(0)];
  const said: { direction: Direction; start: number; end: number }[] = [];
  for (const [direction, piece] of turns) {
    if (piece.length === 0) continue;
    const start = octets[direction].length;
    octets[direction] = Buffer.concat([octets[direction], piece]);
    said.push({ direction, start, end: octets[direction].length });
  }
  return { octets, turns: said };
}

/** Every view of what passes, by name. */
function viewsOf(given: Transcript, redactor: Redactor): [view: string, text: string][] {
  const views: [string, string][] = [];
  const startedNs = 0n;
  const theme = createTheme(0);
  const told = (make: (write: (text: string) => void) => LedgerListener | null): [told: string, ledger: Ledger] => {
    let text = "";
    const listener = make((more) => {
      text += more;
    });
    const ledger = new Ledger({ kind: "proxy", generator: { name: "wiretally", version: "0" }, startedNs, listener });
    const connection = ledger.open({ listener: "l", client: "c", server: "s" }, 0);
    feed(given, uncut(given), (direction, bytes) => connection.delta(direction, bytes, 0));
    connection.close({ by: "client", how: "fin", code: null, order: [] }, 0);
    return [text, ledger];
  };
  for (const level of TRACE_LEVELS) {
    const [text] = told((write) => new Trace({ level, time: "rel", notes: true, theme, redactor, startedNs, write }));
    views.push([`trace ${level}`, text]);
  }
  const [events, ledger] = told((write) => new NdjsonStream({ redactor, startedNs, write }));
  const tally = ledger.tally(0);
  views.push(["NDJSON", events], ["tally", tallyJson(tally, redactor)], ["summary", summaryText(tally, theme, redactor)]);
  return views;
}

/** What gives a part of the secret away: any six octets of it, as text, percent-encoded or in hex; in hex its Huffman code, too. */
function signsOf(value: string): string[] {
  const hex = (octets: Uint8Array): string[] => {
    const digits = Buffer.from(octets).toString("hex");
    return [digits, digits.replaceAll(/..(?=.)/g, "$& ")];
  };
  const parts = Array.from({ length: value.length - 5 }, (_, at) => value.slice(at, at + 6));
  const huffman = huffmanEncode(value);
  return [
    ...parts.flatMap((part) => [part, encoded(part), encoded(encoded(part)), ...hex(latin1(part))]),
    ...hex(huffman.subarray(0, huffman.length - 1)),
  ];
}
