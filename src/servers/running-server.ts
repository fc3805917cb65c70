/** Where a server listens. */
export interface ServerAddress {
  /** A host name or address; IPv6 without brackets. */
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
}

/** A server that accepts connections. */
export interface RunningServer {
  /** The port it listens on, never 0. */
  readonly port: number;
  /** Accept no more, end what is open, and resolve when the last connection is gone. */
  close(): Promise<void>;
}

/** How long `close` lets open calls finish before it cuts them off. */
export const CLOSE_GRACE_MS = 500;
