import { stat } from "node:fs/promises";
import { UsageError } from "../../proxy/listen-spec.ts";
import type { ReadCommandOptions } from "../read-options.ts";

/** Reject with a UsageError when a result would be written over a capture that is to be read. */
export async function refuseInputs({ files, capture, output, json }: ReadCommandOptions): Promise<void> {
  const places = [
    ["-w", capture?.path],
    ["-o", output],
    ["--json", json],
  ] as const;
  for (const [option, path] of places) {
    const place = await identityOf(path);
    if (place === null) continue;
    for (const file of files) {
      if ((await identityOf(file)) === place) throw new UsageError(`${option} ${path} would write over the capture that is read`);
    }
  }
}

/** Which regular file a path leads to; null: none, as `-` and devices do. */
async function identityOf(path: string | null | undefined): Promise<string | null> {
  if (path === null || path === undefined || path === "-") return null;
  const found = await stat(path).catch(() => null);
  return found?.isFile() === true ? `${found.dev}:${found.ino}` : null;
}
