import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** True when nothing may skip: a missing tool or folder fails the run. */
export const REQUIRE_ALL = process.env["WIRETALLY_REQUIRE_ALL"] === "1";

/** The folder of cases and corpora: WIRETALLY_SHARED, else ../shared beside the project. */
const SHARED = resolve(ROOT, process.env["WIRETALLY_SHARED"] ?? "../shared");

/** Path of something in the shared folder. */
export function shared(...parts: string[]): string {
  return join(SHARED, ...parts);
}

/**
 * The `skip` option of a test that reads the shared folder: a reason when it is missing, false when it is there.
 * Where nothing may skip, a missing folder is an error.
 */
export function skipWithoutShared(...parts: string[]): string | false {
  const path = shared(...parts);
  if (existsSync(path)) return false;
  if (REQUIRE_ALL) throw new Error(`${path} is missing and WIRETALLY_REQUIRE_ALL=1`);
  return `${path} is missing (set WIRETALLY_SHARED)`;
}
