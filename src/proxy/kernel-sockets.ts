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

/** Send queues by ports; null: the system does not show them. */
type Queues = ReadonlyMap<string, readonly number[]> | null;

/** The tables are as long as the system has connections, closed ones of the last minute included: all who ask meanwhile share a read. */
let running: Promise<Queues> | null = null;
let next: Promise<Queues> | null = null;

/**
 * Send queues of the kernel's sockets with these ports: octets not sent or not acknowledged. A socket that was reset is not among them;
 * one that was closed in order is, for a minute (TIME-WAIT). Only ports are compared, so one of another address can be among them.
 * @returns as of a moment after the call; null where the system has no /proc/net/tcp. Never rejects.
 */
export async function sendQueues({ local, remote }: Ports): Promise<readonly number[] | null> {
  const queues = await readAfterNow();
  return queues === null ? null : (queues.get(`${hexPort(local)} ${hexPort(remote)}`) ?? []);
}

/** A read that has begun already may be older than the question. */
function readAfterNow(): Promise<Queues> {
  if (running === null) return begin();
  next ??= running.then(() => {
    next = null;
    return begin();
  });
  return next;
}

function begin(): Promise<Queues> {
  const read = readTables();
  running = read;
  void read.then(() => {
    if (running === read) running = null;
  });
  return read;
}

async function readTables(): Promise<Queues> {
  const tables = await Promise.all(TABLES.map((path) => readFile(path, "latin1").catch(() => null)));
  const found = tables.filter((table) => table !== null);
  if (found.length === 0) return null;
  const queues = new Map<string, number[]>();
  // Columns: number, local address:port, remote address:port, state, tx_queue:rx_queue, all in hex.
  const line = /:([0-9A-F]{4}) [0-9A-F]+:([0-9A-F]{4}) [0-9A-F]{2} ([0-9A-F]{8}):/g;
  for (const table of found) {
    for (const [, local = "", remote = "", queue = "0"] of table.matchAll(line)) {
      const key = `${local} ${remote}`;
      const known = queues.get(key);
      const octets = Number.parseInt(queue, 16);
      if (known === undefined) queues.set(key, [octets]);
      else known.push(octets);
    }
  }
  return queues;
}

function hexPort(port: number): string {
  return port.toString(16).toUpperCase().padStart(4, "0");
}
