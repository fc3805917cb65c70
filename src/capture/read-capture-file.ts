import { CaptureFile, type CaptureSummary } from "./capture-file.ts";
import type { CaptureHandler } from "./packet.ts";

/** How a capture is read. */
export interface ReadOptions {
  /** Stops the reading; what was read stays read. */
  readonly signal?: AbortSignal;
}

/**
 * Read a whole capture; packets are delivered as they come.
 * @param path of a file, or `-` for standard input.
 * @returns what it was. A capture of which a part could be read is no error: notes say what is missing. Rejects with a CaptureError when
 * nothing could be read.
 */
export async function readCaptureFile(path: string, handler: CaptureHandler, options: ReadOptions = {}): Promise<CaptureSummary> {
  const file = await CaptureFile.open(path, handler);
  const stop = (): void => void file.close();
  options.signal?.addEventListener("abort", stop);
  try {
    if (options.signal?.aborted === true) stop();
    while (await file.step());
    return file.summary;
  } finally {
    options.signal?.removeEventListener("abort", stop);
    await file.close();
  }
}
