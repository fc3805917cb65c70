import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import type { TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";

const READY_MS = 5_000;

/** Starts a server until the test ends; resolves when it accepts connections on 127.0.0.1. */
export async function startProgram(t: TestContext, argv: readonly [string, ...string[]], port: number): Promise<void> {
  const [program, ...args] = argv;
  const child = spawn(program, args, { stdio: "ignore" });
  t.after(async () => {
    child.kill("SIGKILL");
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  });
  await once(child, "spawn");
  for (const stop = Date.now() + READY_MS; !(await accepts(port)); await sleep(50)) {
    if (Date.now() > stop) throw new Error(`${program} does not listen on ${port}`);
  }
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}
