// A reporter for node:test: silent about what passes, full about what fails, and one closing line that scripts/test.mjs reads.
import { relative } from "node:path";

/** node:test's own closing lines, which come as diagnostics of the root. */
const ROOT_TOTAL = /^(tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) [\d.]+$/;

/** @param {AsyncIterable<{ type: string, data: any }>} events */
export default async function* reporter(events) {
  const totals = { passed: 0, failed: 0, skipped: 0 };
  for await (const { type, data } of events) {
    if (type === "test:diagnostic" && !ROOT_TOTAL.test(data.message)) yield `# ${data.message}\n`;
    if ((type !== "test:pass" && type !== "test:fail") || data.details?.type === "suite") continue;
    if (data.skip !== undefined) {
      totals.skipped += 1;
      yield `skipped: ${data.name}${typeof data.skip === "string" ? ` (${data.skip})` : ""}\n`;
    } else if (type === "test:pass" || data.todo !== undefined) {
      totals.passed += 1;
    } else {
      totals.failed += 1;
      yield `FAILED: ${data.name}${data.file === undefined ? "" : ` (${relative("", data.file)})`}\n${cause(data.details.error)}\n`;
    }
  }
  yield `${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped\n`;
}

/** What went wrong: node:test wraps it once. */
function cause(error) {
  const inner = error.cause instanceof Error ? error.cause : error;
  return String(inner.stack ?? inner.message).replace(/^/gm, "  ");
}
