import type { Side } from "../conversation.ts";
import { flowKey } from "./endpoint.ts";

/** What tells the segments of one direction of a conversation from all others. Both addresses have 4 octets, or both 16. */
export interface FlowName {
  readonly source: Uint8Array;
  readonly sourcePort: number;
  readonly destination: Uint8Array;
  readonly destinationPort: number;
  readonly scope: string;
}

/** One direction of a conversation. One class makes them all, and plain fields: every segment looks at one. */
export class Flow<C> implements FlowName {
  readonly conversation: C;
  readonly side: Side;
  readonly source: Uint8Array;
  readonly sourcePort: number;
  readonly destination: Uint8Array;
  readonly destinationPort: number;
  readonly scope: string;
  /** See flowKey. */
  readonly key: string;

  /** @param name is kept, with its octets. */
  constructor(conversation: C, side: Side, { source, sourcePort, destination, destinationPort, scope }: FlowName) {
    this.conversation = conversation;
    this.side = side;
    this.source = source;
    this.sourcePort = sourcePort;
    this.destination = destination;
    this.destinationPort = destinationPort;
    this.scope = scope;
    this.key = flowKey(source, sourcePort, destination, destinationPort, scope);
  }
}

/** Both directions of a conversation. @param first is borrowed: the name of what side 0 sends. */
export function flowsOf<C>(conversation: C, first: FlowName): readonly [Flow<C>, Flow<C>] {
  const { sourcePort, destinationPort, scope } = first;
  const [source, destination] = [new Uint8Array(first.source), new Uint8Array(first.destination)];
  const there = { source, sourcePort, destination, destinationPort, scope };
  const back = { source: destination, sourcePort: destinationPort, destination: source, destinationPort: sourcePort, scope };
  return [new Flow(conversation, 0, there), new Flow(conversation, 1, back)];
}

/** Flows that are found without a key, by their ports; a power of two. */
const LATELY = 1_024;

/**
 * Flows by name. Most segments belong to one that was found lately: those are compared with, number by number, as making a key costs
 * more than all the rest. Ports that are made to collide cost what a key costs.
 */
export class FlowTable<C> {
  readonly #byKey = new Map<string, Flow<C>>();
  readonly #lately: (Flow<C> | null)[] = Array.from({ length: LATELY }, () => null);

  find(name: FlowName): Flow<C> | undefined {
    const place = placeOf(name);
    const lately = this.#lately[place];
    if (lately != null && isOf(lately, name)) return lately;
    const flow = this.#byKey.get(flowKey(name.source, name.sourcePort, name.destination, name.destinationPort, name.scope));
    if (flow !== undefined) this.#lately[place] = flow;
    return flow;
  }

  /** In the place of one of the same name. */
  add(flow: Flow<C>): void {
    this.#byKey.set(flow.key, flow);
    this.#lately[placeOf(flow)] = null;
  }

  /** Whether it was added, and is still there. */
  has(flow: Flow<C>): boolean {
    return this.#byKey.get(flow.key) === flow;
  }

  /** Forget the flow of that name. */
  remove(flow: Flow<C>): void {
    this.#byKey.delete(flow.key);
    this.#lately[placeOf(flow)] = null;
  }
}

function placeOf({ sourcePort, destinationPort }: FlowName): number {
  return (sourcePort + 31 * destinationPort) & (LATELY - 1);
}

function isOf(flow: FlowName, name: FlowName): boolean {
  return (
    flow.sourcePort === name.sourcePort &&
    flow.destinationPort === name.destinationPort &&
    isSame(flow.source, name.source) &&
    isSame(flow.destination, name.destination) &&
    flow.scope === name.scope
  );
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  if (one.length !== other.length) return false;
  for (let i = 0; i < one.length; i++) if (one[i] !== other[i]) return false;
  return true;
}
