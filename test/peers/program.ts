import { spawn } from "node:child_process";

/** What a program that ran to its end left behind. */
export interface Finished {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Run a program to its end, with `input` on its stdin; one that takes longer than `timeoutMs` is ended and rejects, as does one that
 * cannot be started. stdout and stderr come as latin1, one character an octet, so that nothing is lost in a comparison.
 */
export function runProgram(argv: readonly [string, ...string[]], input: Uint8Array = new Uint8Array(), timeoutMs = 60_000) {
  return new Promise<Finished>((resolve, reject) => {
    const [program, ...args] = argv;
    const child = spawn(program, args, { stdio: ["pipe", "pipe", "pipe"] });
    let stdout = "";
    let stderr = "";
    const timer = setTimeout(() => {
      child.kill("SIGKILL");
      reject(new Error(`${argv.join(" ")} was not done after ${timeoutMs} ms: ${stderr}`));
    }, timeoutMs);
    child.stdout.setEncoding("latin1").on("data", (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding("latin1").on("data", (text: string) => {
      stderr += text;
    });
    // A program may end without reading its input.
    child.stdin.on("error", () => undefined);
    child.stdin.end(input);
    child.on("error", (error) => {
      clearTimeout(timer);
      reject(error);
    });
    child.on("close", (exitCode) => {
      clearTimeout(timer);
      resolve({ exitCode, stdout, stderr });
    });
  });
}
