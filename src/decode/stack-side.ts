import type { DecodeAs } from "./first-octets.ts";
import type { Layer } from "./layer.ts";
import { OctetBuffer } from "./octet-buffer.ts";
import type { ProtocolSearch } from "./protocol-search.ts";
import type { ProxyHeaderLayer } from "./proxy-header.ts";
import type { LostReason } from "./search.ts";

/** Who takes octets of a direction. */
export type Taker = Pick<Layer, "push">;

/** What the stack knows of one direction. */
export class Side {
  /** Why its first octets may be in the middle of anything; null: they begin it, or a layer knows. */
  lost: LostReason | null;
  /** Looks for a protocol in octets that do not begin one. */
  search: ProtocolSearch | null = null;
  /** Some octet came. */
  spoke = false;
  /** Octets of it were not seen: its beginning, or in the middle. */
  unseen: boolean;
  /** A gap was the last thing that came. */
  afterGap = false;
  /** null until its first octets have told a protocol. */
  layer: Layer | null = null;
  /** What the other direction has told; its own first octets may still say otherwise. */
  expected: Layer | null = null;
  /** The protocol that the other direction has told. */
  told: DecodeAs = "opaque";
  /** Octets that no layer has taken: not enough to tell a protocol, or behind a parked request. */
  readonly waiting = new OctetBuffer();
  running = false;
  /** A PROXY header was looked for. */
  probed = false;
  /** The PROXY header that is being read. */
  prefix: ProxyHeaderLayer | null = null;
  /** Too many octets waited: whatever is answered, it stays opaque. */
  givenUp = false;
  ended = false;
  finished = false;

  /** @param late its beginning was not seen. */
  constructor(late: boolean) {
    this.lost = late ? "late_join" : null;
    this.unseen = late;
  }

  /** Who takes its next octets. */
  get taker(): Taker | null {
    return this.prefix ?? this.search ?? this.layer;
  }
}
