/**
 * Everything the ledger holds in lists, bounded. What a list leaves out is counted in `omitted`; totals, levels, routes and causes
 * stay exact whatever the bounds.
 */
export interface Limits {
  /** Finished exchanges listed, the newest of the whole ledger; live ones are always listed. */
  readonly exchanges: number;
  /** Messages listed per exchange, the first ones. */
  readonly messages: number;
  /** Closed connections listed, the newest; live ones are always listed. */
  readonly connections: number;
  /** Routes by name; further ones are counted together under `(other)`. */
  readonly routes: number;
  /** Field names per connection and direction; further ones are counted together under `(other)`. */
  readonly fieldNames: number;
  /** Notes per connection, the first ones. */
  readonly notes: number;
  /**
   * Octets of memory, about, for the field names and notes of all closed connections together; past it the connection that was closed
   * first lists none, and its fields are counted together under `(other)`.
   */
  readonly closedDetailOctets: number;
  /** Octets kept of one text from the wire (path, authority, method …). */
  readonly textOctets: number;
  /** Distinct sizes of single calls kept per route, window and direction for an exact median. */
  readonly distinctSizes: number;
  /** PINGs of one direction that wait for their answer. */
  readonly pendingPings: number;
  /** Distinct setting identifiers kept per direction. */
  readonly settings: number;
}

/** The bounds that users are told of, and small ones of our own for what a peer could otherwise make grow. */
export const LIMITS: Limits = {
  exchanges: 10_000,
  messages: 1_000,
  connections: 10_000,
  routes: 1_000,
  fieldNames: 1_000,
  notes: 1_000,
  // 10,000 closed connections of 25 usual field names and a note each fit; at 2,000 names and 1,000 notes each they would take gigabytes.
  closedDetailOctets: 64 * 2 ** 20,
  // RFC 9110 §4.1 asks for URIs of at least 8000 octets; 10,000 listed exchanges then hold at most some 240 MiB of hostile text.
  textOctets: 8_192,
  distinctSizes: 1_000,
  // Stacks keep one PING outstanding, rarely a few; a flood of them must not grow.
  pendingPings: 100,
  // The IANA registry has eight; identifiers are 16 bits wide, so a hostile peer could announce 65,536.
  settings: 100,
};
