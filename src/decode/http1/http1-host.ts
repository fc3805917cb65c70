import type { Exchange } from "../exchange.ts";

/** What an HTTP/1 session asks of the stack it runs in. */
export interface Http1Host {
  /**
   * A 101, or a 2xx to CONNECT, was read: both directions leave HTTP/1. Called at the last octet of that head; the response layer
   * takes nothing more, and the parked request layer is dropped.
   * @param to `h2c`: HTTP/2 follows; `tunnel`: CONNECT, detect anew; `opaque`: any other protocol.
   * @param http2Settings value of the request's HTTP2-Settings field (octet string) for `h2c`, else null.
   */
  switched(to: "h2c" | "tunnel" | "opaque", exchange: Exchange, http2Settings: string | null): void;
  /** The upgrade or CONNECT was refused: the request layer, parked until now, goes on with HTTP/1. */
  unparked(): void;
}
