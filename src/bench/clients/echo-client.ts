/** A client that sends one item again and again, on one connection that stays open between the calls. */
export interface EchoClient {
  /**
   * One call: send the item, take the answer, check that it is the item.
   * Rejects when the call fails, when the answer is another item, or when the connection is not the first call's.
   */
  call(): Promise<void>;
  /** Close the connection in the protocol's orderly way. Of gRPC it may still be closing when this resolves. */
  close(): Promise<void>;
}

/** Where a client connects, which is usually a proxy's port. */
export interface ClientTarget {
  /** A host name or address; IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
}

/** What the clients say in `Host` and `:authority`, whatever port they use: a longer name would weigh more. */
export const AUTHORITY = "127.0.0.1:8080";

/** Make calls one after another. */
export async function callInSequence(client: EchoClient, calls: number): Promise<void> {
  for (let made = 0; made < calls; made++) await client.call();
}

/** The error of a call whose answer was not the item. */
export function unexpectedAnswer(protocol: string, status: number | string, octets: number): Error {
  return new Error(`${protocol}: the server answered ${status} with ${octets} octets that are not the item sent`);
}
