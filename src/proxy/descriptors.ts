import { closeSync, openSync } from "node:fs";
import { devNull } from "node:os";
import { codeOf } from "./network-error.ts";

/** Whether an errno code says that the process or the system has no descriptor left. */
export function isOutOfDescriptors(code: string): boolean {
  return code === "EMFILE" || code === "ENFILE";
}

/**
 * Whether `count` more descriptors could be opened now. It tries: a failing accept is not always told, as libuv then accepts with a
 * descriptor that it kept back and closes the client's connection at once.
 * @returns null, or the errno code.
 */
export function descriptorShortage(count: number): string | null {
  const opened: number[] = [];
  try {
    for (let n = 0; n < count; n++) opened.push(openSync(devNull, "r"));
    return null;
  } catch (error) {
    const code = codeOf(error);
    return isOutOfDescriptors(code) ? code : null;
  } finally {
    for (const fd of opened) closeSync(fd);
  }
}
