import assert from "node:assert/strict";
import { test } from "node:test";
import { UsageError } from "../proxy/listen-spec.ts";
import { Layers } from "./layers.ts";
import { planOutput } from "./output/plan.ts";
import { proxyOptions } from "./proxy-options.ts";

test("a flag wins over the environment, that over the file, that over the default", () => {
  const trace = (flags: object, env: Record<string, string>, config: object) =>
    proxyOptions(new Layers({ ...flags }, env, { path: "w.yaml", values: { ...config } })).trace;
  assert.equal(trace({}, {}, {}), "exchanges");
  assert.equal(trace({}, {}, { trace: "off" }), "off");
  assert.equal(trace({}, { WIRETALLY_TRACE: "frames" }, { trace: "off" }), "frames");
  assert.equal(trace({ trace: "fields" }, { WIRETALLY_TRACE: "frames" }, { trace: "off" }), "fields");
  assert.throws(() => trace({}, { WIRETALLY_TRACE: "loud" }, {}), { message: /^WIRETALLY_TRACE: "loud" is not one of off, / });
  assert.throws(() => trace({}, {}, { trace: "loud" }), { message: /^--config w\.yaml: trace: "loud" is not one of / });
});

test("-v steps up, -q is off", () => {
  const trace = (flags: object) => proxyOptions(new Layers({ ...flags }, {})).trace;
  assert.equal(trace({ verbose: 1 }), "frames");
  assert.equal(trace({ verbose: 2 }), "fields");
  assert.equal(trace({ verbose: 9 }), "octets");
  assert.equal(trace({ quiet: true }), "off");
  assert.equal(trace({ quiet: true, trace: "off" }), "off");
});

test("-q, -v and --trace contradict each other in one place; between places the nearer one wins", () => {
  const trace = (flags: object, env: Record<string, string>, config: object = {}) =>
    proxyOptions(new Layers({ ...flags }, env, { path: "w.yaml", values: { ...config } })).trace;
  assert.throws(() => trace({ quiet: true, verbose: 1 }, {}), UsageError);
  assert.throws(() => trace({ quiet: true, trace: "frames" }, {}), UsageError);
  assert.throws(() => trace({ trace: "off", verbose: 1 }, {}), UsageError);
  assert.throws(() => trace({}, { WIRETALLY_QUIET: "1", WIRETALLY_TRACE: "frames" }), {
    message: "WIRETALLY_QUIET and WIRETALLY_TRACE contradict each other",
  });
  assert.equal(trace({ quiet: true }, { WIRETALLY_TRACE: "frames" }), "off");
  assert.equal(trace({ trace: "fields" }, { WIRETALLY_QUIET: "1" }), "fields");
  assert.equal(trace({ verbose: 1 }, {}, { quiet: true }), "frames");
  assert.equal(trace({ verbose: 1 }, { WIRETALLY_TRACE: "frames" }), "fields");
  assert.equal(trace({ trace: "off" }, { WIRETALLY_VERBOSE: "2" }), "off");
});

test("listeners from flags, environment and file", () => {
  const listen = (flags: object, env: Record<string, string>, config: object) =>
    proxyOptions(new Layers({ ...flags }, env, { path: "w.yaml", values: { ...config } })).listen;
  assert.deepEqual(listen({ listen: ["1:a:1", "2:b:2"] }, {}, {}), ["1:a:1", "2:b:2"]);
  assert.deepEqual(listen({}, { WIRETALLY_LISTEN: "1:a:1 2:b:2" }, {}), ["1:a:1", "2:b:2"]);
  assert.deepEqual(listen({}, {}, { listen: ["1:a:1"] }), ["1:a:1"]);
});

test("--interval needs a file to rewrite", () => {
  for (const json of [{}, { json: "-" }]) {
    assert.throws(() => proxyOptions(new Layers({ interval: "5", ...json }, {})), UsageError);
  }
  assert.equal(proxyOptions(new Layers({ interval: "5", json: "t.json" }, {})).intervalMs, 5000);
});

test("what goes where: stdout carries the trace, or one document", () => {
  const plan = (output: string | null, format: "text" | "json" | "ndjson" | null, json: string | null) =>
    planOutput({ output, format, json });
  assert.deepEqual(plan(null, null, null), { traceOnStdout: true, documents: [] });
  assert.deepEqual(plan(null, null, "-"), { traceOnStdout: false, documents: [{ format: "json", path: "-" }] });
  assert.deepEqual(plan(null, "ndjson", null), { traceOnStdout: false, documents: [{ format: "ndjson", path: "-" }] });
  assert.deepEqual(plan("x.ndjson", null, "t.json"), {
    traceOnStdout: true,
    documents: [
      { format: "ndjson", path: "x.ndjson" },
      { format: "json", path: "t.json" },
    ],
  });
  assert.deepEqual(
    ["a.json", "a.jsonl", "a.txt"].map((path) => plan(path, null, null).documents[0]?.format),
    ["json", "ndjson", "text"],
  );
  assert.equal(plan("a.log", null, null).documents[0]?.format, "text");
  assert.equal(plan("a.csv", "text", null).documents[0]?.format, "text");
  for (const ending of ["csv", "har", "html", "htm", "md", "HAR", "pcapng"]) {
    assert.throws(() => plan(`x.${ending}`, null, null), UsageError, ending);
  }
  assert.throws(() => plan(null, "json", "-"), UsageError);
  assert.throws(() => plan("t.json", null, "t.json"), UsageError);
});
