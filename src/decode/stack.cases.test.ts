import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type Case, caseIds, labelOf, loadCase } from "../../test/cases.ts";
import type { RecordingSink } from "../../test/recording-sink.ts";
import { everyCutOf, replay } from "../../test/replay.ts";
import { skipWithoutShared } from "../../test/shared.ts";
import { DIRECTION_NAMES, DIRECTIONS, type Direction } from "./direction.ts";
import type { UnitField } from "./wire-unit.ts";

const skip = skipWithoutShared("cases");
const IDS = skip
  ? []
  : [
      ...caseIds("V-H1"),
      ...caseIds("V-H2"),
      ...caseIds("V-HP"),
      "V-GR-01",
      "V-GR-02",
      "V-GR-04",
      "V-GR-08",
      "V-WS-01",
      "V-WS-02",
      "V-SE-01",
      "V-SE-02",
      "V-SE-03",
      "V-SE-05",
    ];

/** Inputs up to here are cut everywhere (test/cuts.ts), so their borders need no mention. */
const EVERYWHERE_OCTETS = 4096;
const FLOOD_OCTETS = 48 * 1024;

describe("cases, octet for octet at every cut", { skip }, () => {
  for (const id of IDS) {
    test(id, () => {
      const given = loadCase(id);
      attributed(given, replay(given));
      // A flood is a hundred thousand times the same: its sums tell a wrong cut as well, and in seconds.
      const flood = given.octets[0].length > FLOOD_OCTETS;
      const detail = flood ? 0 : 3;
      const figuresOf = (sink: RecordingSink): unknown =>
        flood ? [sink.byCategory(0), sink.byCategory(1), sink.notes, sink.done.length, sink.fields.length] : sink.figures();
      const whole = figuresOf(replay(given, undefined, detail));
      const text = JSON.stringify(whole);
      for (const cuts of everyCutOf(given, [bordersOf(given, 0), bordersOf(given, 1)])) {
        const cut = replay(given, cuts, detail, (direction, pending, announced, pushed) => {
          if (pending + announced !== pushed)
            assert.fail(`${id} ${direction}: ${pending} pending + ${announced} announced != ${pushed}`);
        });
        const figures = figuresOf(cut);
        if (JSON.stringify(figures) !== text)
          assert.deepEqual(figures, whole, `${id} cut at ${JSON.stringify(cuts).slice(0, 200)}`);
      }
    });
  }
});

describe("what the cases say beside their octets", { skip }, () => {
  for (const id of IDS) {
    const given = loadCase(id);
    if (given.expected.expect.headers !== undefined) test(`${id}: field sections`, () => fieldSections(given));
    if (given.expected.h2_frames !== undefined) test(`${id}: frames`, () => frames(given));
  }

  test("V-H2-03: stream 1 is the upgraded request, stream 3 follows", () => {
    const sink = replay(loadCase("V-H2-03"));
    const [first, second] = sink.exchanges;
    assert.deepEqual([first?.method, first?.path, first?.status, first?.complete], ["GET", "/hello", 200, true]);
    assert.deepEqual([second?.stream, second?.method, second?.path, second?.status], [3, "GET", "/next", 404]);
    assert.deepEqual(
      sink.calls.filter(([name]) => name === "becomeStream"),
      [["becomeStream", first?.id, 1]],
    );
    assert.deepEqual(
      sink.calls.filter(([name]) => name === "setting").map(([, ...rest]) => rest),
      // HTTP2-Settings first, then the server's SETTINGS, then the client's own.
      [[0, 3, 100], [0, 4, 65535], ...settingsAt(loadCase("V-H2-03"), 1, 80, 1), ...settingsAt(loadCase("V-H2-03"), 0, 160, 2)],
    );
  });

  test("V-H2-04: the greased frame with all flags ends nothing", () => {
    const sink = replay(loadCase("V-H2-04"));
    const greased = sink.units.find((unit) => unit.detail.kind === "h2.frame" && unit.detail.type === 250);
    assert.equal(greased?.exchange?.stream, 1);
    assert.equal(sink.exchanges.length, 1);
    assert.equal(sink.exchanges[0]?.status, 200);
  });

  test("V-H2-06: gRPC messages of 2, 4 and 0 octets", () => {
    const sink = replay(loadCase("V-H2-06"));
    const messages = sink.calls.filter(([name]) => name === "message");
    assert.deepEqual(messages, [
      ["message", "c1.s9", 0, 2, false, null],
      ["message", "c1.s9", 1, 4, false, null],
      ["message", "c1.s11", 0, 0, false, null],
    ]);
    assert.deepEqual(
      sink.calls.filter(([name]) => name === "protocol"),
      [["protocol", "h2", true]],
    );
  });

  test("V-H2-08: pings and the GOAWAY", () => {
    const given = loadCase("V-H2-08");
    const sink = replay(given);
    const pings = sink.calls.filter(([name]) => name === "ping");
    for (const { dir, sent, answered } of given.expected.expect.pings) {
      const direction = DIRECTION_NAMES.indexOf(dir);
      const asked = pings.filter((call) => call[1] === direction && call[2] === false).map((call) => call[3]);
      assert.equal(asked.length, sent);
      const acks = pings.filter((call) => call[1] !== direction && call[2] === true).map((call) => call[3]);
      assert.equal(acks.length, answered);
      assert.deepEqual(
        acks.filter((opaque) => !asked.includes(opaque)),
        [],
      );
    }
    const { last_stream_id, error_code, debug } = given.expected.expect.goaway;
    const goaway = sink.units.find((unit) => unit.detail.kind === "h2.frame" && unit.detail.type === 7);
    assert.ok(goaway?.detail.kind === "h2.frame" && goaway.detail.debugData !== null, "no GOAWAY");
    assert.deepEqual(
      [goaway.detail.lastStreamId, goaway.detail.errorCode, Buffer.from(goaway.detail.debugData).toString()],
      [last_stream_id, error_code, debug],
    );
    assert.match(sink.notes.find((note) => note.code === "goaway")?.text ?? "", /ENHANCE_YOUR_CALM.*too_many_pings/);
  });

  test("V-H2-09: octets after the reset are the stream's", () => {
    const sink = replay(loadCase("V-H2-09"));
    assert.deepEqual(
      sink.exchanges.map(({ stream, status, complete }) => [stream, status, complete]),
      [
        [1, 200, false],
        [3, 200, true],
      ],
    );
    const body = sink.runs[1].find((run) => labelOf(run.category) === "body");
    assert.deepEqual([body?.length, body?.exchange], [100, "c1.s1"]);
  });

  test("V-GR-01: message borders are not DATA borders", () => {
    const given = loadCase("V-GR-01");
    const sink = replay(given);
    const wanted = given.expected.expect.grpc_messages.flatMap(
      (entry: { dir: "c2s" | "s2c"; messages: { payload_octets: number; compressed_flag: number }[] }) =>
        entry.messages.map((message) => [
          "message",
          "c1.s1",
          DIRECTION_NAMES.indexOf(entry.dir),
          message.payload_octets,
          message.compressed_flag === 1,
          null,
        ]),
    );
    assert.deepEqual(
      sink.calls.filter(([name]) => name === "message"),
      wanted,
    );
    assert.deepEqual(
      [sink.exchanges[0]?.protocol, sink.exchanges[0]?.path, sink.exchanges[0]?.grpcStatus],
      ["grpc", given.expected.expect.method, 0],
    );
  });

  test("V-GR-02: Trailers-Only, and an answer that is not gRPC", () => {
    const sink = replay(loadCase("V-GR-02"));
    const [first, second] = sink.exchanges;
    assert.deepEqual([first?.grpcStatus, decodeURIComponent(first?.grpcMessage ?? ""), first?.status], [5, "no such item", 200]);
    assert.deepEqual([second?.grpcStatus, second?.status, second?.protocol], [null, 503, "grpc"]);
    assert.deepEqual(
      sink.calls.filter((call) => call[0] === "message" && call[2] === 1),
      [],
    );
  });

  test("V-GR-04: the wire value of grpc-message is kept", () => {
    const given = loadCase("V-GR-04");
    const sink = replay(given);
    for (const { stream, wire_hex } of given.expected.expect.grpc_message) {
      const exchange = sink.exchanges.find((candidate) => candidate.stream === stream);
      assert.equal(Buffer.from(exchange?.grpcMessage ?? "", "latin1").toString("hex"), wire_hex);
    }
  });

  test("V-SE-01: 2000 CONTINUATION frames without END_HEADERS are counted within 2 s", () => {
    const given = loadCase("V-SE-01");
    const started = performance.now();
    const sink = replay(given, undefined, 1);
    assert.ok(performance.now() - started < 2000, "took over 2 s");
    assert.equal(sink.byCategory(0)["h2.frame_header.continuation"], 2000 * 9);
    assert.equal(sink.byCategory(0)["h2.field_block.undecoded"], given.expected.expect.header_block_octets);
    assert.deepEqual(
      sink.notes.map((note) => note.code),
      ["truncated"],
    );
  });

  test("V-SE-02: 5000 resets are 5000 exchanges of 36 octets", () => {
    const given = loadCase("V-SE-02");
    const sink = replay(given, undefined, 0);
    assert.equal(sink.done.length, given.expected.expect.streams);
    const octets = new Map<string, number>();
    for (const run of sink.runs[0])
      if (run.exchange !== null) octets.set(run.exchange, (octets.get(run.exchange) ?? 0) + run.length);
    assert.deepEqual(new Set(octets.values()), new Set([given.expected.expect.octets_per_pair]));
  });

  test("V-SE-03: a bomb is shown up to its cap and counted whole", () => {
    const before = process.memoryUsage().heapUsed;
    const sink = replay(loadCase("V-SE-03"), undefined, 2);
    const bombs = sink.units.filter((unit) => unit.fieldsOmitted > 0);
    assert.equal(bombs.length, 3);
    for (const bomb of bombs) assert.ok(bomb.fields.length + bomb.fieldsOmitted >= 16000, "16000 lines");
    assert.ok(process.memoryUsage().heapUsed - before < 64 * 1024 * 1024, "heap grew by over 64 MiB");
  });
});

/** Offsets of a direction's units; of a flood, the first ones. */
function bordersOf(given: Case, direction: Direction): number[] {
  if (given.octets[direction].length <= EVERYWHERE_OCTETS) return [];
  return replay(given, undefined, 1)
    .units.filter((unit) => unit.direction === direction)
    .slice(0, 40)
    .map((unit) => unit.offset);
}

/** Every octet under the label of the case; where it has no ranges, the sums. */
function attributed(given: Case, sink: RecordingSink): void {
  for (const direction of DIRECTIONS) {
    const name = DIRECTION_NAMES[direction];
    const wanted = given.expected.byte_attribution?.[name]?.by_label ?? {};
    const sums: Record<string, number> = {};
    for (const run of sink.runs[direction]) sums[labelOf(run.category)] = (sums[labelOf(run.category)] ?? 0) + run.length;
    assert.deepEqual(sums, wanted, `${given.id} ${name} sums`);
    const ranges = given.expected.byte_ranges?.[name];
    if (ranges === undefined) continue;
    const owners = (entries: readonly (readonly [number, number, string])[]): string[] =>
      entries.flatMap(([, length, label]) => Array<string>(length).fill(label));
    const ours = sink.runs[direction].map((run) => [run.offset, run.length, labelOf(run.category)] as const);
    assert.deepEqual(owners(ours), owners(ranges), `${given.id} ${name} ranges`);
  }
}

function frames(given: Case): void {
  const sink = replay(given);
  for (const direction of DIRECTIONS) {
    const wanted = (given.expected.h2_frames ?? []).filter(({ dir }) => dir === DIRECTION_NAMES[direction]);
    const ours = sink.units.flatMap((unit) => {
      if (unit.direction !== direction || unit.detail.kind !== "h2.frame") return [];
      const { type, flags, streamId, length } = unit.detail;
      return [{ dir: DIRECTION_NAMES[direction], offset: unit.offset, type, flags, stream: streamId, length }];
    });
    assert.deepEqual(ours, wanted);
  }
}

interface ExpectedSection {
  readonly dir: "c2s" | "s2c";
  readonly stream: number;
  readonly fields?: readonly (readonly [string, string] | null)[];
  readonly fields_hex?: readonly (readonly [string, string])[];
  readonly decoded_before_error?: readonly (readonly [string, string])[];
  readonly unknown_indexes?: readonly number[];
  readonly error?: string;
}

function fieldSections(given: Case): void {
  const sink = replay(given);
  const expected: readonly ExpectedSection[] = given.expected.expect.headers;
  const used = new Map<string, number>();
  for (const section of expected) {
    const direction = DIRECTION_NAMES.indexOf(section.dir) as Direction;
    const sections = sectionsOf(sink, direction, section.stream);
    const key = `${section.dir} ${section.stream}`;
    const nth = used.get(key) ?? 0;
    used.set(key, nth + 1);
    const fields = sections[nth] ?? [];
    const known = fields.map(({ name, value }) => (name === null || value === null ? null : [octets(name), octets(value)]));
    if (section.fields_hex !== undefined) {
      const hex = fields.map(({ name, value }) => [name, Buffer.from(value ?? "", "latin1").toString("hex")]);
      assert.deepEqual(hex, section.fields_hex);
    } else {
      assert.deepEqual(known, section.fields ?? section.decoded_before_error, `${given.id} ${key}`);
    }
    if (section.unknown_indexes !== undefined) {
      const indexes = fields.filter(({ value }) => value === null).map(({ hpack }) => hpack?.index);
      assert.deepEqual(indexes, section.unknown_indexes);
    }
    if (section.error !== undefined) {
      assert.ok(
        sink.notes.some(
          (note) => note.direction === direction && note.severity === "violation" && note.text.includes(section.error ?? ""),
        ),
      );
    }
  }
}

/** The field sections of a stream in wire order; lines that start in a CONTINUATION belong to the section of its HEADERS. */
function sectionsOf(sink: RecordingSink, direction: Direction, stream: number): UnitField[][] {
  const sections: UnitField[][] = [];
  for (const unit of sink.units) {
    if (unit.direction !== direction || unit.detail.kind !== "h2.frame" || unit.detail.streamId !== stream) continue;
    if (unit.detail.type === 1) sections.push([...unit.fields]);
    if (unit.detail.type === 9) sections.at(-1)?.push(...unit.fields);
  }
  return sections;
}

function octets(text: string): string {
  return Buffer.from(text, "latin1").toString("utf8");
}

/** Settings as they stand in the case's octets: `count` of them at `offset`. */
function settingsAt(given: Case, direction: Direction, offset: number, count: number): [number, number, number][] {
  const payload = Buffer.from(given.octets[direction]);
  return Array.from({ length: count }, (_, n) => [
    direction,
    payload.readUInt16BE(offset + n * 6),
    payload.readUInt32BE(offset + n * 6 + 2),
  ]);
}
