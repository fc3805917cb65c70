import { FRAME_TYPES, PART_NAMES, type PartName } from "http2-frame-parser";
import { CATEGORY, type Category } from "../category.ts";

const FIELD_BLOCK_PARTS = new Set<PartName>(["indexed", "prefix", "name", "value", "size_update", "undecoded"]);

/** Category id of each payload part, by part id. */
export const PART_CATEGORY: readonly number[] = PART_NAMES.map((name) => {
  const path = FIELD_BLOCK_PARTS.has(name) ? `h2.field_block.${name}` : `h2.${name}`;
  return CATEGORY[path as Category];
});

const HEADER_CATEGORY: number[] = [];
for (const { code, name } of FRAME_TYPES) HEADER_CATEGORY[code] = CATEGORY[`h2.frame_header.${name.toLowerCase()}` as Category];

/** Category id of the 9 header octets of a frame of this type. */
export function frameHeaderCategory(type: number): number {
  return HEADER_CATEGORY[type] ?? CATEGORY["h2.frame_header.unknown"];
}
