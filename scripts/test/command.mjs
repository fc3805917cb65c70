// Runs one command to its end and keeps what it printed.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

/** The project's root folder. */
export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** How Node runs the project's TypeScript: the workspace's private condition finds the parser's source, tsx strips the types. */
export const NODE_SOURCE = ["--conditions=wiretally-source", "--import", "tsx"];

/**
 * @param {string[]} argv program and arguments; "node" is the Node that runs this script
 * @param {{ timeoutMs: number, env?: Record<string, string> }} options
 * @returns {Promise<{ ok: boolean, output: string, reason?: string }>} stdout and stderr as they came, in one text
 */
export function runCommand([program, ...args], { timeoutMs, env = {} }) {
  return new Promise((resolve) => {
    const child = spawn(program === "node" ? process.execPath : program, args, {
      cwd: ROOT,
      env: { ...process.env, PATH: `${ROOT}node_modules/.bin:${process.env.PATH}`, NO_COLOR: "1", FORCE_COLOR: "0", ...env },
      stdio: ["ignore", "pipe", "pipe"],
      // A group of its own, so that a test that hangs is ended together with the servers it started.
      detached: true,
    });
    let output = "";
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      endGroup(child.pid);
    }, timeoutMs);
    child.stdout.setEncoding("utf8").on("data", (text) => {
      output += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text) => {
      output += text;
    });
    child.on("error", (error) => {
      clearTimeout(timer);
      resolve({ ok: false, output, reason: error.code === "ENOENT" ? `${program} is not installed` : error.message });
    });
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      if (late) resolve({ ok: false, output, reason: `not done after ${timeoutMs / 1000} s` });
      else if (code === 0) resolve({ ok: true, output });
      else resolve({ ok: false, output, reason: code === null ? `ended by ${signal}` : `exit ${code}` });
    });
  });
}

function endGroup(pid) {
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    if (error.code !== "ESRCH") throw error;
  }
}
