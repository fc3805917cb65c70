import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { ruleText } from "./rule-texts.ts";

const SOURCES = [
  new URL("../../frames/http2", import.meta.url),
  new URL("../../frames/hpack", import.meta.url),
  new URL(".", import.meta.url),
];
/** Where a rule is named, an error code or the word `rule` stands beside it. */
const NAMES_A_RULE = /violation\(|rule: "|rule\("|_ERROR"/;

/** Every rule that the sources of the frames and of this folder name. */
function rulesOfTheSources(): Set<string> {
  const found = new Set<string>();
  for (const folder of SOURCES.map((url) => fileURLToPath(url))) {
    for (const file of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
      if (!file.endsWith(".ts") || file.endsWith(".test.ts")) continue;
      for (const line of readFileSync(join(folder, file), "utf8").split("\n")) {
        if (!NAMES_A_RULE.test(line)) continue;
        for (const [, rule = ""] of line.matchAll(/"([a-z0-9]+(?:-[a-z0-9]+)+)"/g)) found.add(rule);
      }
    }
  }
  return found;
}

test("every rule has a sentence that says more than its identifier", () => {
  const rules = rulesOfTheSources();
  for (const known of [
    "hpack-truncated",
    "settings-max-frame-size",
    "flow-stream-exceeded",
    "frame-on-idle-stream",
    "ping-length",
  ]) {
    assert.ok(rules.has(known), `${known} is not found in the sources`);
  }
  for (const rule of rules) {
    const text = ruleText(rule);
    assert.notEqual(text, rule.replaceAll("-", " "), rule);
    assert.match(text, /^[^\n.]{15,110}$/, rule);
  }
});

test("no sentence is for a rule that nothing reports", () => {
  const source = readFileSync(fileURLToPath(new URL("rule-texts.ts", import.meta.url)), "utf8");
  const rules = rulesOfTheSources();
  const rows = [...source.matchAll(/^ {2}"([a-z0-9-]+)": /gm)].map(([, rule = ""]) => rule);
  assert.ok(rows.length > 40, `${rows.length} rows`);
  for (const rule of rows) assert.ok(rules.has(rule), `${rule}: nothing reports it`);
});

test("a rule that is not known is shown in its own words", () => {
  assert.equal(ruleText("some-new-rule"), "some new rule");
});
