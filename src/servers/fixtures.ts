import type { Item } from "./item.ts";

/** The demo's three items, by what they weigh: 20, 1117 and 65630 octets as protobuf; 75, 1520 and 87536 as JSON. */
export const FIXTURE_NAMES = ["small", "medium", "large"] as const;
export type FixtureName = (typeof FIXTURE_NAMES)[number];

/**
 * One of the demo's items.
 * @returns equal octets at every call, so that two runs, or two stacks, carry the same item.
 */
export function fixture(name: FixtureName): Item {
  return {
    id: 1234567890,
    name: "widget-01",
    count: 12345,
    tags: name === "small" ? [] : TAGS,
    payload: payloadOf(PAYLOAD_OCTETS[name]),
  };
}

const TAGS: readonly string[] = Array.from({ length: 10 }, (_, index) => `tag-${index}`);
const PAYLOAD_OCTETS = { small: 0, medium: 1024, large: 65536 } as const satisfies Record<FixtureName, number>;

/** Octets without a pattern that a compressor finds: the high half of a 32-bit linear congruential generator. */
function payloadOf(octets: number): Uint8Array {
  const payload = new Uint8Array(octets);
  let state = 1;
  for (let at = 0; at < octets; at++) {
    // Math.imul: the product needs 63 bits, a double keeps 53.
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    payload[at] = (state >>> 16) & 0xff;
  }
  return payload;
}
