import { readFile } from "node:fs/promises";
import type { Socket } from "node:net";

/** The ports of one TCP connection, as one of its sockets sees them. */
export interface Ports {
  readonly local: number;
  readonly remote: number;
}

const TABLES = ["/proc/net/tcp", "/proc/net/tcp6"];

/** Null for a unix socket, or when the peer is gone already. */
export function portsOf({ localPort, remotePort }: Socket): Ports | null {
  return localPort === undefined || remotePort === undefined ? null : { local: localPort, remote: remotePort };
}

/**
 * Send queues of the kernel's sockets with these ports: octets not sent or not acknowledged. A socket that was reset is not among them;
 * one that was closed in order is, for a minute (TIME-WAIT). Only ports are compared, so one of another address can be among them.
 * @returns null where the system has no /proc/net/tcp. Never rejects.
 */
export async function sendQueues({ local, remote }: Ports): Promise<readonly number[] | null> {
  const tables = await Promise.all(TABLES.map((path) => readFile(path, "latin1").catch(() => null)));
  const found = tables.filter((table) => table !== null);
  if (found.length === 0) return null;
  // Columns: number, local address:port, remote address:port, state, tx_queue:rx_queue, all in hex.
  const pattern = new RegExp(`:${hexPort(local)} [0-9A-F]+:${hexPort(remote)} [0-9A-F]{2} ([0-9A-F]{8}):`, "g");
  return found.flatMap((table) => Array.from(table.matchAll(pattern), (match) => Number.parseInt(match[1] ?? "0", 16)));
}

function hexPort(port: number): string {
  return port.toString(16).toUpperCase().padStart(4, "0");
}
