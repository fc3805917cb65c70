import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { portsOf, sendQueues } from "./kernel-sockets.ts";

const FIRST_WAIT_MS = 1;
const LONGEST_WAIT_MS = 100;
/** A peer that takes nothing for this long gets its reset all the same, so that a dead one is not kept for ever. */
const STALLED_MS = 60_000;
/** Where the kernel cannot be asked: long enough for a peer that reads. */
const BLIND_WAIT_MS = 250;

/**
 * Resolves when the peer's kernel has acknowledged all that was written to `socket`, or when the socket is closed. A reset throws away
 * what a kernel still has to send, so this comes before it. Where the system does not show its send queues a short fixed time passes.
 * Never rejects.
 */
export async function whenDelivered(socket: Socket): Promise<void> {
  const ports = portsOf(socket);
  if (ports === null) return;
  let wait = FIRST_WAIT_MS;
  let last = Number.POSITIVE_INFINITY;
  let stalledMs = 0;
  while (!socket.destroyed) {
    const queues = await sendQueues(ports);
    if (queues === null) {
      await sleep(BLIND_WAIT_MS);
      return;
    }
    const queued = Math.max(0, ...queues);
    stalledMs = queued < last ? 0 : stalledMs + wait;
    if (queued === 0 || stalledMs >= STALLED_MS) return;
    last = queued;
    await sleep(wait);
    wait = Math.min(wait * 2, LONGEST_WAIT_MS);
  }
}
