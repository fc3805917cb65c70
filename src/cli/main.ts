#!/usr/bin/env node
import { run } from "./cli.ts";

// A reader that went away is no failure of ours, and not worth a word: `wiretally --help | head -1`.
const ignore = (): void => {};
process.stdout.on("error", ignore);
process.stderr.on("error", ignore);

const { stdout, stderr, env } = process;
process.exitCode = await run(process.argv.slice(2), { stdout, stderr, env });
