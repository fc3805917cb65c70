import { type Endpoint, formatEndpoint, parseAddress, splitHostPort, toV6 } from "./address.ts";

/** Client and server of one conversation, of one family. */
export interface EndpointPair {
  readonly client: Endpoint;
  readonly server: Endpoint;
  /** What was invented, in words for a comment; "": nothing was. */
  readonly invented: string;
  /** Gives the pair back when the conversation is over. */
  readonly key: string;
}

/** Where Unix sockets are shown: a loopback address, and ports below those that clients get and that no known protocol uses. */
const LOOPBACK_V4 = Uint8Array.of(127, 0, 0, 1);
const LOOPBACK_V6 = Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1);
const SOCKET_PORTS = { first: 30_300, count: 2000 } as const;
/** Where hosts are shown of which only the name is known: the addresses for documentation, RFC 5737 §3 and RFC 3849. */
const NAMED_HOSTS = 254;
/** IANA's dynamic ports, RFC 6335 §6: for clients without an own one. */
const DYNAMIC_PORTS = { first: 49_152, count: 16_384 } as const;

/**
 * Finds addresses for packets. What a relay knows of its two sides need not be two addresses of one family, or a pair that no
 * other open conversation has: two listeners may share a target, and a client's port. What is missing is invented, and said.
 */
export class Endpoints {
  readonly #open = new Set<string>();
  readonly #names = new Map<string, number>();
  readonly #sockets = new Map<string, number>();
  #nextPort = 0;

  /** Takes a pair for one conversation; `release` gives it back. @param client and @param server as in ConnectionFacts. */
  take(client: string, server: string): EndpointPair {
    const invented: string[] = [];
    let from = endpointOf(client);
    const to = endpointOf(server) ?? this.#placeholder(server, from?.address.length === 16);
    if (endpointOf(server) === null) invented.push(`server ${server} is shown as ${formatEndpoint(to)}`);
    if (from === null) {
      from = { address: to.address.length === 4 ? LOOPBACK_V4 : LOOPBACK_V6, port: this.#dynamicPort() };
      invented.push(`client ${client} is shown as ${formatEndpoint(from)}`);
    }
    let pair = oneFamily(from, to);
    for (let tries = 0; this.#taken(pair) && tries < DYNAMIC_PORTS.count; tries++) {
      pair = { ...pair, client: { ...pair.client, port: this.#dynamicPort() } };
    }
    if (pair.client.port !== from.port) {
      invented.push(`port ${from.port} of the client is shown as ${pair.client.port}: another connection has the same addresses`);
    }
    const key = keyOf(pair.client, pair.server);
    this.#open.add(key);
    return { ...pair, invented: invented.join("; "), key };
  }

  release(pair: EndpointPair): void {
    this.#open.delete(pair.key);
  }

  #taken({ client, server }: { client: Endpoint; server: Endpoint }): boolean {
    const [from, to] = [formatEndpoint(client), formatEndpoint(server)];
    return from === to || this.#open.has(keyOf(client, server));
  }

  #placeholder(server: string, v6: boolean): Endpoint {
    const named = splitHostPort(server);
    if (named === null) {
      const port = SOCKET_PORTS.first + (ordinalOf(this.#sockets, server, SOCKET_PORTS.count) - 1);
      return { address: v6 ? LOOPBACK_V6 : LOOPBACK_V4, port };
    }
    if (named.host === "localhost") return { address: v6 ? LOOPBACK_V6 : LOOPBACK_V4, port: named.port };
    const ordinal = ordinalOf(this.#names, named.host, NAMED_HOSTS);
    const v6Address = Uint8Array.of(0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, ordinal);
    return { address: v6 ? v6Address : Uint8Array.of(192, 0, 2, ordinal), port: named.port };
  }

  #dynamicPort(): number {
    this.#nextPort = (this.#nextPort + 1) % DYNAMIC_PORTS.count;
    return DYNAMIC_PORTS.first + this.#nextPort;
  }
}

function endpointOf(text: string): Endpoint | null {
  const parts = splitHostPort(text);
  const address = parts === null ? null : parseAddress(parts.host);
  return parts === null || address === null ? null : { address, port: parts.port };
}

function oneFamily(client: Endpoint, server: Endpoint): { readonly client: Endpoint; readonly server: Endpoint } {
  if (client.address.length === server.address.length) return { client, server };
  return { client: { ...client, address: toV6(client.address) }, server: { ...server, address: toV6(server.address) } };
}

/** Readers know a conversation by its two ends, whichever began. */
function keyOf(a: Endpoint, b: Endpoint): string {
  return [formatEndpoint(a), formatEndpoint(b)].sort().join(" ");
}

/** 1, 2, … by first use, the last one for all that come when the table is full. */
function ordinalOf(table: Map<string, number>, name: string, limit: number): number {
  const known = table.get(name);
  if (known !== undefined) return known;
  const ordinal = Math.min(table.size + 1, limit);
  if (table.size + 1 < limit) table.set(name, ordinal);
  return ordinal;
}
