/** What reassembly may hold, and for how long. Past a limit octets are still counted; a hole then becomes a gap. */
export interface TcpLimits {
  /** Octets that one side may hold behind a hole, {@link HELD_SEGMENT_OCTETS} of bookkeeping a segment included. */
  readonly heldOctets: number;
  /** Segments that one side may hold behind a hole. */
  readonly heldSegments: number;
  /** Octets that all sides together may hold: past it, the side that has held something for longest gives its hole up. */
  readonly heldOctetsOverall: number;
  /** Packets of its conversation that an acknowledged hole is kept open for: see SideStream. */
  readonly patiencePackets: number;
  /** Octets for the copies that repeated octets are compared with, over all sides; a side gets {@link RECENT_OCTETS} at most. */
  readonly recentOctetsOverall: number;
  /** Conversations that have not ended; past it the one that was idle for longest is closed. */
  readonly openConversations: number;
  /** Ended conversations, newest first, whose late packets are still recognized as theirs. */
  readonly endedConversations: number;
}

/** What a held segment is taken to cost beside its octets, so that a flood of tiny ones is bounded as well. */
export const HELD_SEGMENT_OCTETS = 128;

/** The newest octets of a side that are kept for comparing: a whole window of a host without window scaling. */
export const RECENT_OCTETS = 65_536;

/** A side may have a window of 4 MiB in flight (Linux's default limit is 6 MiB a socket, rarely reached); the rest bounds the process. */
export const DEFAULT_TCP_LIMITS: TcpLimits = {
  heldOctets: 4 * 1024 * 1024,
  heldSegments: 4_096,
  heldOctetsOverall: 64 * 1024 * 1024,
  patiencePackets: 16,
  recentOctetsOverall: 64 * 1024 * 1024,
  openConversations: 65_536,
  endedConversations: 4_096,
};
