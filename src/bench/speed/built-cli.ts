import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const SRC = fileURLToPath(new URL("../..", import.meta.url));
const CLI = fileURLToPath(new URL("../../../dist/cli.js", import.meta.url));

/** The command line as it is installed. @returns its path, and why it cannot stand for the source; null: it can. */
export function builtCli(): { readonly path: string; readonly trouble: string | null } {
  const built = statSync(CLI, { throwIfNoEntry: false })?.mtimeMs;
  if (built === undefined) return { path: CLI, trouble: "dist/cli.js is missing: npm run build" };
  const stale = sources().some((path) => statSync(path).mtimeMs > built);
  return { path: CLI, trouble: stale ? "dist/cli.js is older than the source: npm run build" : null };
}

/** Files that are built in. */
function sources(): string[] {
  const names = readdirSync(SRC, { recursive: true, encoding: "utf8" });
  const isSource = (name: string) => name.endsWith(".ts") && !name.endsWith(".test.ts");
  return names.filter((name) => isSource(name) && !/(^|\/)(node_modules|dist|bench)\//.test(name)).map((name) => join(SRC, name));
}
