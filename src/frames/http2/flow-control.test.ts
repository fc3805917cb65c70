import assert from "node:assert/strict";
import { test } from "node:test";
import { FLOW_RULES, FLOW_STREAM_CAP, FlowControl } from "./flow-control.ts";
import { SETTING } from "./registry.ts";
import { PeerSettings } from "./settings.ts";

const C2S = 0;
const S2C = 1;

test("DATA uses up both windows, WINDOW_UPDATE credits the other direction", () => {
  const flow = new FlowControl();
  assert.equal(flow.data(C2S, 1, 1000), null);
  assert.deepEqual([flow.connectionWindow(C2S), flow.streamWindow(C2S, 1), flow.streamWindow(C2S, 3)], [64535, 64535, 65535]);
  assert.equal(flow.windowUpdate(S2C, 1, 500), null);
  assert.equal(flow.windowUpdate(S2C, 0, 1), null);
  assert.deepEqual([flow.connectionWindow(C2S), flow.streamWindow(C2S, 1)], [64536, 65035]);
  assert.deepEqual([flow.connectionWindow(S2C), flow.streamWindow(S2C, 1)], [65535, 65535]);
});

test("beyond a window: connection first, then stream; an empty DATA never", () => {
  const flow = new FlowControl();
  assert.equal(flow.data(S2C, 1, 65535), null);
  assert.equal(flow.data(S2C, 1, 1), FLOW_RULES.connectionExceeded);
  assert.equal(flow.data(S2C, 1, 0), null);
  flow.windowUpdate(C2S, 0, 100_000);
  assert.equal(flow.data(S2C, 1, 1), FLOW_RULES.streamExceeded);
  assert.equal(flow.data(S2C, 3, 1), null);
});

test("a window above 2^31-1 is an error, 2^31-1 itself is not", () => {
  const flow = new FlowControl();
  assert.equal(flow.windowUpdate(C2S, 0, 0x7fffffff - 65535), null);
  assert.equal(flow.connectionWindow(S2C), 0x7fffffff);
  assert.equal(flow.windowUpdate(C2S, 0, 1), FLOW_RULES.connectionOverflow);
  assert.equal(flow.windowUpdate(C2S, 5, 0x7fffffff - 65535), null);
  assert.equal(flow.windowUpdate(C2S, 5, 1), FLOW_RULES.streamOverflow);
});

test("INITIAL_WINDOW_SIZE takes effect with its ACK, for streams in use too, and not for the connection", () => {
  const flow = new FlowControl();
  flow.data(S2C, 1, 100);
  flow.settings(C2S, [SETTING.INITIAL_WINDOW_SIZE, 50]);
  assert.equal(flow.streamWindow(S2C, 1), 65435);
  assert.equal(flow.settingsAck(S2C), null);
  assert.deepEqual([flow.streamWindow(S2C, 1), flow.streamWindow(S2C, 3), flow.connectionWindow(S2C)], [-50, 50, 65435]);
  assert.equal(flow.streamWindow(C2S, 1), 65535);
  assert.equal(flow.settingsOf(C2S).value(SETTING.INITIAL_WINDOW_SIZE), 50);
});

test("INITIAL_WINDOW_SIZE that lifts a stream above 2^31-1 is an error (RFC 9113 §6.9.2)", () => {
  const flow = new FlowControl();
  flow.windowUpdate(C2S, 1, 1);
  flow.settings(C2S, [SETTING.INITIAL_WINDOW_SIZE, 0x7fffffff]);
  assert.equal(flow.settingsAck(S2C), FLOW_RULES.settingsOverflow);
  assert.equal(flow.settingsAck(S2C), null, "an ACK for nothing changes nothing");
});

test("a closed stream is forgotten, and streams in use are bounded", () => {
  const flow = new FlowControl();
  flow.data(C2S, 1, 10);
  flow.closeStream(1);
  assert.deepEqual([flow.streamWindow(C2S, 1), flow.connectionWindow(C2S)], [65535, 65525]);
  for (let index = 0; index <= FLOW_STREAM_CAP; index++) flow.windowUpdate(S2C, 1 + 2 * index, 1);
  assert.deepEqual([flow.streamWindow(C2S, 1), flow.streamWindow(C2S, 3)], [65535, 65536]);
});

test("the stream in use for the longest is forgotten first, and a closed one makes room", () => {
  const flow = new FlowControl();
  const long = 1;
  flow.windowUpdate(S2C, long, 7);
  for (let index = 1; index < 3 * FLOW_STREAM_CAP; index++) {
    flow.windowUpdate(S2C, long + 2 * index, 1);
    flow.closeStream(long + 2 * index);
  }
  assert.equal(flow.streamWindow(C2S, long), 65542, "streams that were closed push nothing out");
  flow.closeStream(long);
  flow.windowUpdate(S2C, 3, 5);
  flow.windowUpdate(S2C, long, 7);
  for (let index = 2; index < FLOW_STREAM_CAP; index++) flow.windowUpdate(S2C, long + 2 * index, 1);
  assert.deepEqual([flow.streamWindow(C2S, 3), flow.streamWindow(C2S, long)], [65540, 65542]);
  flow.windowUpdate(S2C, long + 2 * FLOW_STREAM_CAP, 1);
  assert.deepEqual([flow.streamWindow(C2S, 3), flow.streamWindow(C2S, long)], [65535, 65542]);
});

test("a flood of new streams costs the same for each", () => {
  const seconds = (count: number) => {
    const flow = new FlowControl();
    const begin = performance.now();
    for (let index = 0; index < count; index++) flow.windowUpdate(S2C, 1 + 2 * index, 1);
    return (performance.now() - begin) / 1e3;
  };
  seconds(FLOW_STREAM_CAP);
  const within = seconds(FLOW_STREAM_CAP);
  const beyond = seconds(4 * FLOW_STREAM_CAP);
  // Four times the streams; fifteen times leaves room for a busy machine, and walking over what was forgotten took seventy.
  assert.ok(beyond < 15 * Math.max(within, 0.02), `${beyond.toFixed(2)} s to ${within.toFixed(3)} s`);
});

test("INITIAL_WINDOW_SIZE raised again and again is not checked against every stream each time", () => {
  const flow = new FlowControl();
  for (let index = 0; index < FLOW_STREAM_CAP; index++) flow.windowUpdate(C2S, 1 + 2 * index, 1);
  const begin = performance.now();
  for (let round = 0; round < 2000; round++) {
    for (const size of [0, 65535]) {
      flow.settings(C2S, [SETTING.INITIAL_WINDOW_SIZE, size]);
      assert.equal(flow.settingsAck(S2C), null);
    }
  }
  const seconds = (performance.now() - begin) / 1e3;
  assert.ok(seconds < 0.5, `${seconds.toFixed(2)} s`);
  flow.settings(C2S, [SETTING.INITIAL_WINDOW_SIZE, 0x7fffffff]);
  assert.equal(flow.settingsAck(S2C), FLOW_RULES.settingsOverflow);
});

test("settings: in effect when acknowledged, in the order they were sent", () => {
  const settings = new PeerSettings();
  assert.equal(settings.value(SETTING.HEADER_TABLE_SIZE), 4096);
  assert.equal(settings.value(0xa0a), undefined);
  const pairs = [SETTING.HEADER_TABLE_SIZE, 0, 0xa0a, 7];
  settings.sent(pairs);
  pairs[1] = 99;
  settings.sent([SETTING.HEADER_TABLE_SIZE, 8192, SETTING.HEADER_TABLE_SIZE, 16384]);
  assert.equal(settings.outstanding, 2);
  assert.equal(settings.acknowledge(), true);
  assert.deepEqual([settings.value(SETTING.HEADER_TABLE_SIZE), settings.value(0xa0a)], [0, 7]);
  assert.equal(settings.acknowledge(), true);
  assert.equal(settings.value(SETTING.HEADER_TABLE_SIZE), 16384);
  assert.equal(settings.acknowledge(), false);
  assert.deepEqual(
    [...settings.entries()],
    [
      [1, 16384],
      [0xa0a, 7],
    ],
  );
  for (let index = 0; index < 200; index++) settings.sent([index + 100, 1]);
  assert.ok(settings.outstanding <= 64);
  while (settings.acknowledge());
  assert.ok([...settings.entries()].length <= 8 + 64);
});
