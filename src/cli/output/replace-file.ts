import { lstat, open, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/**
 * Put `text` in the place of a file's content so that a reader sees the old or the new text, never a part. A link is followed; what is
 * no regular file (a device, a pipe) is written to as it is.
 * Rejects with the system's error; the old content is then still there.
 */
export async function replaceFile(path: string, text: string): Promise<void> {
  const place = await placeOf(path);
  if (!place.regular) return writeFile(place.path, text);
  const beside = temporaryName(place.path);
  try {
    await writeFile(beside, text, { flag: "wx", ...(place.mode === null ? {} : { mode: place.mode }) });
    await rename(beside, place.path);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}

/** Reject now with the error that {@link replaceFile} would meet later: a folder that is missing, no permission. */
export async function checkReplaceable(path: string): Promise<void> {
  const place = await placeOf(path);
  const probe = place.regular ? temporaryName(place.path) : place.path;
  const handle = await open(probe, place.regular ? "wx" : "a");
  await handle.close();
  if (place.regular) await rm(probe, { force: true });
}

interface Place {
  readonly path: string;
  readonly regular: boolean;
  /** Permissions of the file that is there. */
  readonly mode: number | null;
}

async function placeOf(path: string): Promise<Place> {
  const found = await stat(path).catch(nullWhenMissing);
  if (found === null) {
    // A link that leads nowhere is written through: renaming would replace the link itself.
    const link = await lstat(path).catch(nullWhenMissing);
    return { path, regular: link === null, mode: null };
  }
  if (found.isDirectory()) throw Object.assign(new Error(`${path} is a directory`), { code: "EISDIR" });
  if (!found.isFile()) return { path, regular: false, mode: null };
  return { path: await realpath(path), regular: true, mode: found.mode & 0o777 };
}

function nullWhenMissing(error: unknown): null {
  if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
  throw error;
}

function temporaryName(path: string): string {
  return join(dirname(path), `.${basename(path)}.${process.pid}.tmp`);
}
