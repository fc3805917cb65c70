import assert from "node:assert/strict";
import { test } from "node:test";
import { type ColourChoice, type ColourStream, colourLevel, createTheme } from "./theme.ts";

const terminal = (depth: number): ColourStream => ({ isTTY: true, getColorDepth: () => depth });
const PIPE: ColourStream = {};

test("--color goes before FORCE_COLOR, that before NO_COLOR, that before what the terminal can do", () => {
  const table: [ColourChoice, ColourStream, Record<string, string>, number][] = [
    ["auto", PIPE, {}, 0],
    ["auto", terminal(1), {}, 0],
    ["auto", terminal(4), {}, 1],
    ["auto", terminal(8), {}, 2],
    ["auto", terminal(24), {}, 3],
    ["auto", terminal(24), { NO_COLOR: "1" }, 0],
    ["auto", terminal(24), { NO_COLOR: "" }, 3],
    ["auto", PIPE, { FORCE_COLOR: "3" }, 3],
    ["auto", PIPE, { FORCE_COLOR: "" }, 1],
    ["auto", PIPE, { FORCE_COLOR: "1", NO_COLOR: "1" }, 1],
    ["auto", terminal(24), { FORCE_COLOR: "0" }, 0],
    ["auto", PIPE, { CLICOLOR_FORCE: "1" }, 1],
    ["never", terminal(24), { FORCE_COLOR: "3" }, 0],
    ["always", PIPE, { NO_COLOR: "1" }, 1],
    ["always", terminal(24), {}, 3],
  ];
  for (const [choice, stream, env, level] of table)
    assert.equal(colourLevel(choice, stream, env), level, JSON.stringify([choice, env]));
});

test("level 0 adds nothing, level 1 adds sequences", () => {
  assert.equal(createTheme(0).bad("x"), "x");
  assert.equal(createTheme(1).bad("x"), "\u001b[31mx\u001b[39m");
});
