import assert from "node:assert/strict";
import { test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import { bridge } from "../ledger/bridge.ts";
import type { DemoFigures, DemoWindowFigures } from "./demo-figures.ts";
import { type DemoDocument, demoJson } from "./demo-json.ts";
import { demoJsonSchema } from "./demo-schema.ts";

const GENERATOR = { generator: { name: "wiretally", version: "1.2.3" } };
const window = (calls: number): DemoWindowFigures => {
  const side = { exclusive: 1000, streamFlow: 20, connection: 3, setup: 4 };
  return { calls, edges: "closed", c2s: side, s2c: side };
};
const categories = { c2s: { "grpc.prefix": 500, "h2.ping": 523 }, s2c: { "grpc.prefix": 1023 } };
const FIGURES: DemoFigures = {
  calls: 100,
  rows: [{ size: "small", stack: "grpc", cold: window(1), warm: window(100), categories, ratioToGrpc: 1 }],
  bridges: [
    {
      size: "small",
      from: "grpc",
      to: "http1",
      ...bridge({ calls: 100, ...categories }, { calls: 100, c2s: { "http1.start_line": 2100 }, s2c: {} }),
    },
  ],
};

const ajv = new Ajv2020({ strict: true, allErrors: true });
const valid = ajv.compile<DemoDocument>(demoJsonSchema() as object);

test("the document has sums and calls, and nothing that was divided", () => {
  const text = demoJson(FIGURES, GENERATOR);
  assert.ok(text.endsWith("}\n"), "the last line ends");
  const document: unknown = JSON.parse(text);
  assert.ok(valid(document), ajv.errorsText(valid.errors));
  assert.deepEqual(document.generator, GENERATOR.generator);
  const levels = { exclusive: 1000, stream_flow: 20, connection: 3, setup: 4 };
  assert.deepEqual(document.figures, [
    {
      size: "small",
      stack: "grpc",
      cold: { calls: 1, edges: "closed", c2s: levels, s2c: levels },
      warm: { calls: 100, edges: "closed", c2s: levels, s2c: levels },
      by_category: categories,
    },
  ]);
  const [found] = document.bridges;
  assert.ok(found !== undefined, "there is a bridge");
  const { size, from, to, calls, c2s, s2c } = found;
  assert.deepEqual([size, from, to, calls], ["small", "grpc", "http1", { from: 100, to: 100, difference: 100 }]);
  assert.deepEqual(
    [c2s, s2c].map(({ from, to, difference }) => [from, to, difference]),
    [
      [1023, 2100, 1077],
      [1023, 0, -1023],
    ],
  );
  assert.deepEqual(c2s.causes[0], {
    cause: "headers",
    from: 0,
    to: 2100,
    difference: 2100,
    categories: [{ category: "http1.start_line", from: 0, to: 2100, difference: 2100 }],
  });
});

test("the schema refuses a mean, a category or a member that it does not know", () => {
  const broken: [string, (document: ReturnType<typeof JSON.parse>) => void][] = [
    ["a mean", (document) => Object.assign(document.bridges[0].c2s, { difference: 10.77 })],
    ["a category", (document) => Object.assign(document.bridges[0].c2s.causes[0].categories[0], { category: "http1.nosuch" })],
    ["a negative sum", (document) => Object.assign(document.figures[0].warm.c2s, { exclusive: -1 })],
    ["no calls", (document) => Object.assign(document.bridges[0].calls, { difference: 0 })],
    ["another schema", (document) => Object.assign(document, { schema: "wiretally.demo/2" })],
    ["a member", (document) => Object.assign(document.figures[0], { ratio: 2 })],
    ["a stack", (document) => Object.assign(document.bridges[0], { to: "grpc" })],
  ];
  for (const [what, breakIt] of broken) {
    const document = JSON.parse(demoJson(FIGURES, GENERATOR));
    breakIt(document);
    assert.ok(!valid(document), `${what} was accepted`);
  }
});
