import assert from "node:assert/strict";
import { test } from "node:test";
import { C2S, S2C } from "../decode/direction.ts";
import { H2Facts } from "./h2-facts.ts";
import { LIMITS } from "./limits.ts";

const NO_SAVING = { c2s: null, s2c: null };

test("the last value of each setting, by the registry's names", () => {
  const facts = new H2Facts({ ...LIMITS, settings: 3 });
  facts.setting(S2C, 0x4, 65535);
  facts.setting(S2C, 0x4, 1048576);
  facts.setting(S2C, 0x5, 16384);
  facts.setting(C2S, 0x2, 0);
  facts.setting(S2C, 0xabcd, 7);
  // Past the bound; a known one still changes.
  facts.setting(S2C, 0x1, 0);
  facts.setting(S2C, 0x5, 32768);
  const { settings } = facts.tally(NO_SAVING, 0);
  assert.deepEqual(settings, {
    c2s: { ENABLE_PUSH: 0 },
    s2c: { INITIAL_WINDOW_SIZE: 1048576, MAX_FRAME_SIZE: 32768, "0xabcd": 7 },
  });
});

test("most streams at once", () => {
  const facts = new H2Facts(LIMITS);
  facts.streamOpened();
  facts.streamOpened();
  facts.streamDone();
  facts.streamOpened();
  facts.streamOpened();
  facts.streamDone();
  assert.equal(facts.tally(NO_SAVING, 0).max_concurrent, 3);
});

test("a PING is timed by the answer in the other direction with the same octets, oldest first", () => {
  const facts = new H2Facts(LIMITS);
  facts.ping(C2S, false, "12345678", 0);
  facts.ping(C2S, false, "12345678", 10_000);
  facts.ping(S2C, false, "12345678", 20_000);
  facts.ping(S2C, true, "12345678", 30_999);
  facts.ping(S2C, true, "12345678", 40_000);
  facts.ping(S2C, true, "12345678", 50_000);
  facts.ping(S2C, true, "unasked!", 50_000);
  const { c2s, s2c } = facts.tally(NO_SAVING, 0).ping_rtt_us;
  assert.deepEqual(c2s, { sent: 2, answered: 2, min: 30, max: 30 });
  assert.deepEqual(s2c, { sent: 1, answered: 0, min: null, max: null });
});

test("PINGs that nobody answers do not pile up", () => {
  const facts = new H2Facts({ ...LIMITS, pendingPings: 2 });
  for (let ping = 0; ping < 5; ping++) facts.ping(C2S, false, `ping${ping}...`, ping);
  facts.ping(S2C, true, "ping0...", 9_000);
  facts.ping(S2C, true, "ping4...", 9_004);
  assert.deepEqual(facts.tally(NO_SAVING, 0).ping_rtt_us.c2s, { sent: 5, answered: 1, min: 9, max: 9 });
});

test("blocked time sums up, and counts while it lasts", () => {
  const facts = new H2Facts(LIMITS);
  facts.blocked(C2S, true, 1_000);
  facts.blocked(C2S, true, 2_000);
  facts.blocked(C2S, false, 4_000);
  facts.blocked(C2S, false, 9_000);
  facts.blocked(C2S, true, 10_000);
  const { blocked_us } = facts.tally(NO_SAVING, 12_500);
  assert.deepEqual(blocked_us, { c2s: 5, s2c: 0 });
  assert.equal(facts.tally(NO_SAVING, 13_000).blocked_us.c2s, 6);
});
