import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type Flow, type FlowName, FlowTable, flowsOf } from "./flow-table.ts";

/** So few endpoints and scopes that names differ in one thing only, and ports that share a place in any small table. */
const address = fc.constantFrom(
  Uint8Array.of(10, 0, 0, 1),
  Uint8Array.of(10, 0, 0, 2),
  Uint8Array.of(10, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
);
const port = fc.constantFrom(80, 80 + 0x1000, 80 + 0x8000);
const name = fc
  .record({ source: address, sourcePort: port, destination: address, destinationPort: port, scope: fc.constantFrom("", "vni 7") })
  .filter(({ source, destination }) => source.length === destination.length);

test("a flow is found by its whole name, from when it is added until it is removed", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constantFrom("find", "add", "remove"), name), { maxLength: 60 }), (steps) => {
      const table = new FlowTable<string>();
      const model = new Map<string, Flow<string>>();
      for (const [what, flow] of steps) {
        const known = model.get(textOf(flow));
        if (what === "add") {
          const [added] = flowsOf("a conversation", flow);
          table.add(added);
          model.set(textOf(flow), added);
        } else if (what === "remove" && known !== undefined) {
          table.remove(known);
          model.delete(textOf(flow));
        } else {
          assert.equal(table.find(flow), known, textOf(flow));
          if (known !== undefined) assert.equal(table.has(known), true, textOf(flow));
        }
      }
    }),
    { numRuns: 300 },
  );
});

test("a name is copied when it is kept, and its reverse is what the other side sends", () => {
  const borrowed: FlowName = {
    source: Uint8Array.of(10, 0, 0, 1),
    sourcePort: 40_000,
    destination: Uint8Array.of(10, 0, 0, 2),
    destinationPort: 80,
    scope: "",
  };
  const table = new FlowTable<string>();
  const flows = flowsOf("a conversation", borrowed);
  for (const flow of flows) table.add(flow);
  const reversed = {
    source: borrowed.destination.slice(),
    sourcePort: 80,
    destination: borrowed.source.slice(),
    destinationPort: 40_000,
    scope: "",
  };
  assert.equal(table.find(borrowed), flows[0]);
  borrowed.source.fill(0);
  assert.equal(table.find(borrowed), undefined);
  assert.deepEqual([table.find(reversed), flows[1].side], [flows[1], 1]);
});

function textOf({ source, sourcePort, destination, destinationPort, scope }: FlowName): string {
  return `${source.join(".")}:${sourcePort} > ${destination.join(".")}:${destinationPort} ${scope}`;
}
