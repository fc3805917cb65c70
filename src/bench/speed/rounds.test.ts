import assert from "node:assert/strict";
import { test } from "node:test";
import { ratiosOf, runRounds, spreadOf } from "./rounds.ts";

test("every contender has its turn in each round, in an order that turns round", async () => {
  const calls: string[] = [];
  const contender = (what: string) => ({
    what,
    reference: null,
    expected: 7,
    run: () => {
      calls.push(what);
      return 7;
    },
  });
  const contest = { octets: 1, contenders: [contender("a"), contender("b")] };
  const speeds = await runRounds(contest, { rounds: 2, sampleMs: 0 });
  assert.equal(calls.join(""), "abbaab");
  assert.deepEqual(
    speeds.map((of) => of.length),
    [2, 2],
  );
});

test("a contest with long runs has fewer rounds than are asked for, never more", async () => {
  const once = { octets: 1, contenders: [{ what: "a", reference: null, expected: 7, run: () => 7 }], mostRounds: 3 };
  const rounds = async (asked: number) => (await runRounds(once, { rounds: asked, sampleMs: 0 }))[0]?.length;
  assert.deepEqual([await rounds(9), await rounds(2)], [3, 2]);
});

test("a contender that comes to something else ends the benchmark", async () => {
  const contest = { octets: 1, contenders: [{ what: "a", reference: null, expected: 7, run: async () => 8 }] };
  await assert.rejects(runRounds(contest, { rounds: 1, sampleMs: 0 }), /a came to 8 instead of 7/);
});

test("speed is octets over time", async () => {
  const wait = () => new Promise<number>((resolve) => setTimeout(() => resolve(0), 20));
  const contest = { octets: 2_000_000, contenders: [{ what: "a", reference: null, expected: 0, run: wait }] };
  const [speeds] = await runRounds(contest, { rounds: 1, sampleMs: 0 });
  // 2 MB in 20 ms or, on a busy machine, a little more.
  const speed = speeds?.[0] ?? 0;
  assert.ok(speed > 5 && speed < 110, `${speed} MB/s`);
});

test("spreads and ratios", () => {
  assert.deepEqual(spreadOf([3, 1, 2]), { median: 2, min: 1, max: 3 });
  assert.deepEqual(spreadOf([4, 1, 3, 2]), { median: 2, min: 1, max: 4 });
  assert.deepEqual(ratiosOf([6, 8], [3, 2]), [2, 4]);
});
