/** The network refused what was asked for: which address, the errno code, and what to try. */
export class NetworkError extends Error {
  override readonly name = "NetworkError";
  /** `host:port`, or a path. */
  readonly address: string;
  /** errno or resolver code, such as EADDRINUSE. */
  readonly code: string;

  constructor(message: string, address: string, code: string) {
    super(message);
    this.address = address;
    this.code = code;
  }
}

/** The errno or resolver code of an error of the network, `UNKNOWN` when it has none. */
export function codeOf(error: unknown): string {
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : "UNKNOWN";
}

/** Why an address cannot be listened on, in one line with what to try. */
export function listenFailed(address: string, code: string): NetworkError {
  return new NetworkError(`cannot listen on ${address}: ${LISTEN_HINTS.get(code) ?? code}`, address, code);
}

/** Why a target cannot be reached, in words. */
export function connectFailure(code: string): string {
  return CONNECT_WORDS.get(code) ?? code;
}

const LISTEN_HINTS: ReadonlyMap<string, string> = new Map([
  ["EADDRINUSE", "the address is in use (EADDRINUSE); stop the other program, or use another port (0 picks a free one)"],
  ["EACCES", "not permitted (EACCES); ports below 1024 often need privileges, try a higher one"],
  ["EADDRNOTAVAIL", "this machine does not have that address (EADDRNOTAVAIL); try 127.0.0.1 or 0.0.0.0"],
  ["ENOTFOUND", "the host name is unknown (ENOTFOUND); try an address"],
  ["EMFILE", "too many open files (EMFILE); raise ulimit -n"],
]);

const CONNECT_WORDS: ReadonlyMap<string, string> = new Map([
  ["ECONNREFUSED", "connection refused (ECONNREFUSED)"],
  ["ENOTFOUND", "unknown host (ENOTFOUND)"],
  ["EAI_AGAIN", "host name cannot be resolved now (EAI_AGAIN)"],
  ["ETIMEDOUT", "no answer in time (ETIMEDOUT)"],
  ["ENOENT", "no such socket (ENOENT)"],
  ["EHOSTUNREACH", "no route to the host (EHOSTUNREACH)"],
  ["ENETUNREACH", "network is unreachable (ENETUNREACH)"],
]);
