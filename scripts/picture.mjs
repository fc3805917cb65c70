// Run the built demo and write what it prints, in colour, to docs/demo.svg: the README's picture. `npm run build` comes first.
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { terminalSvg } from "./picture/terminal-svg.mjs";

const path = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url));
const { NO_COLOR, ...env } = process.env;
const { status, stdout } = spawnSync(process.execPath, [path("dist/cli.js"), "demo", "--no-categories"], {
  encoding: "utf8",
  env: { ...env, FORCE_COLOR: "3" },
  stdio: ["ignore", "pipe", "inherit"],
});
if (status === 0) {
  const label = "wiretally demo: what one item costs as gRPC and as JSON, and what the difference is made of";
  writeFileSync(path("docs/demo.svg"), terminalSvg(`\x1b[90m$\x1b[39m npx wiretally demo --no-categories\n${stdout}`, label));
} else {
  process.exitCode = 1;
}
