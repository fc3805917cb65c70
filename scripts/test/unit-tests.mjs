// Every test that opens no socket, in one process: a process a file costs more than most files' tests.
// Arguments: only files whose path starts with one of them (`node … scripts/test/unit-tests.mjs src/frames`).
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { ROOT } from "./command.mjs";
import { unitTestFiles } from "./test-files.mjs";

const wanted = process.argv.slice(2);
for (const file of unitTestFiles()) {
  if (wanted.length > 0 && !wanted.some((start) => file.startsWith(start))) continue;
  try {
    await import(pathToFileURL(`${ROOT}${file}`).href);
  } catch (error) {
    // One file that cannot be loaded must not hide the others' tests.
    test(`${file} can be loaded`, () => {
      throw error;
    });
  }
}
