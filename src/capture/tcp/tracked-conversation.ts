import type { Conversation, PacketCounts, Side } from "../conversation.ts";
import type { TcpSegment } from "../tcp-segment.ts";
import type { Queued } from "./conversation-queue.ts";
import { endpointText } from "./endpoint.ts";
import { type Flow, flowsOf } from "./flow-table.ts";
import { noPackets } from "./packet-counts.ts";
import { type Reassembly, SideStream } from "./side-stream.ts";

/** Open; reset, and closed when it has been quiet for a while; closed: told so, and kept for its late packets only. */
export type ConversationState = "open" | "reset" | "closed";

/** A conversation with what is needed to follow it; `facts` is what the handler gets. */
export class TrackedConversation implements Queued<TrackedConversation> {
  older: TrackedConversation | null = null;
  newer: TrackedConversation | null = null;
  readonly facts: Conversation & { client: Side | null };
  readonly streams: readonly [SideStream, SideStream];
  /** By sending side. */
  readonly flows: readonly [Flow<TrackedConversation>, Flow<TrackedConversation>];
  state: ConversationState = "open";
  /** Packets of both sides so far. */
  packets = 0;
  /** Time of its last packet that had one. */
  timeNs: bigint | null = null;

  constructor(shared: Reassembly, ordinal: number, first: TcpSegment) {
    const counts: [PacketCounts, PacketCounts] = [noPackets(), noPackets()];
    this.facts = {
      ordinal,
      endpoints: [endpointText(first.source, first.sourcePort), endpointText(first.destination, first.destinationPort)],
      ports: [first.sourcePort, first.destinationPort],
      client: null,
      counts,
    };
    this.flows = flowsOf<TrackedConversation>(this, first);
    this.streams = [new SideStream(shared, this.facts, 0), new SideStream(shared, this.facts, 1)];
  }

  /** Whether both sides sent FIN, or one of them RST: a SYN on the same ports then begins another conversation. */
  get ended(): boolean {
    return this.state !== "open" || (this.streams[0].finSeen && this.streams[1].finSeen);
  }
}
