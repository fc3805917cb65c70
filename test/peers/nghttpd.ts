import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { listenFor } from "./listen.ts";

const READY_MS = 5_000;

/**
 * Starts nghttpd without TLS until the test ends, serving `files` by name; `options` are further arguments.
 * @returns its port on 127.0.0.1.
 */
export async function startNghttpd(
  t: TestContext,
  files: { readonly [name: string]: Uint8Array },
  options: readonly string[] = [],
): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "wiretally-nghttpd-"));
  for (const [name, octets] of Object.entries(files)) writeFileSync(join(folder, name), octets);
  const port = await freePort(t);
  const child = spawn("nghttpd", ["--no-tls", "-a", "127.0.0.1", "-d", folder, ...options, `${port}`], { stdio: "ignore" });
  t.after(async () => {
    child.kill("SIGKILL");
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    rmSync(folder, { recursive: true, force: true });
  });
  const stop = Date.now() + READY_MS;
  while (!(await accepts(port))) {
    if (Date.now() > stop) throw new Error("nghttpd does not listen");
  }
  return port;
}

/** nghttpd cannot say which port it got: take one that was free a moment ago. */
async function freePort(t: TestContext): Promise<number> {
  const server = createServer();
  const port = await listenFor(t, server);
  server.close();
  await once(server, "close");
  return port;
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => setTimeout(resolve, 50, false));
  });
}
