import type { Layer } from "../layer.ts";
import type { Schemas } from "../protobuf/message-type.ts";
import type { ConnectionSink } from "../sink.ts";
import type { Http1Host } from "./http1-host.ts";
import { Pairing } from "./pairing.ts";
import { RequestSide } from "./request-side.ts";
import { ResponseSide } from "./response-side.ts";

/**
 * An HTTP/1.x connection, RFC 9112: one layer per direction; they share the requests that wait for their responses, as a response is
 * framed by its request's method. Announces every octet; never throws on wire input. Holds at most one line (64 KiB) per direction.
 */
export class Http1Session {
  /**
   * Client to server. `parked` after a request with CONNECT or Upgrade: it takes nothing until the host is told `switched` (then it is
   * over) or `unparked`.
   */
  readonly request: Layer & { readonly parked: boolean };
  /**
   * Server to client. It stops right after the head at which the host was told `switched` or `unparked`. After a 101 that came before
   * its request was whole it takes nothing until the host is told either.
   */
  readonly response: Layer;

  constructor(sink: ConnectionSink, host: Http1Host, schemas: Schemas | null = null) {
    const pairing = new Pairing(sink);
    this.request = new RequestSide(sink, pairing, host, schemas);
    this.response = new ResponseSide(sink, pairing, host, schemas);
  }
}
