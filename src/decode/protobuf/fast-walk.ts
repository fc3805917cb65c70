import { add } from "./announcer.ts";
import { FIELD_KIND, type MessageType } from "./message-type.ts";
import { MAX_DEPTH, REGION, type Region } from "./region.ts";
import type { Walk } from "./walk.ts";
import { BYTES, FIXED, GROUP, LENGTH, STRING, TAG, VARINT } from "./wire-leaf.ts";

/** A kind for a field that no schema knows; so is a group that stands as LEN. */
const UNKNOWN = -1;

/**
 * The hot path of a walk without parts: counts whole fields of `bytes[from, to)`, all state in local variables. It stops before a field
 * that is broken or not whole in this chunk, and at the end of a region that was open before: the decoder, which knows all of the rules,
 * goes on from there. Only the questions that it opens itself it answers to the end: they lie in the chunk, so that nothing of them is
 * announced before it is known.
 *
 * Precondition: the walk is at a tag's first octet. @returns where it stopped.
 */
export function walkFast(walk: Walk, bytes: Uint8Array, from: number, to: number): number {
  const shift = walk.offset - from;
  const sums = walk.question > 0 ? walk.guess : walk.said.counts;
  const bottom = walk.depth;
  let depth = bottom;
  let region = walk.region;
  let type = region.type;
  /** End of the innermost region, or of the chunk. */
  let limit = Math.min(region.end - shift, to);
  /** As Walk.question. */
  let question = walk.question;
  let tags = sums[TAG] as number;
  let lengths = sums[LENGTH] as number;
  let varints = sums[VARINT] as number;
  let fixed = sums[FIXED] as number;
  let strings = sums[STRING] as number;
  let plain = sums[BYTES] as number;
  let groups = sums[GROUP] as number;
  let at = from;
  let start = from;
  /** A group is too deep to be looked into. */
  let nested = false;

  walking: for (;;) {
    // One round for each field; left by `break fields` where one cannot be read.
    fields: for (;;) {
      start = at;
      if (at === limit) {
        if (depth === bottom) break walking;
        if (region.kind === REGION.group) break;
        depth--;
        region = walk.regions[depth] as Region;
        type = region.type;
        limit = Math.min(region.end - shift, to);
        if (depth < question) {
          question = 0;
          if (walk.tooDeep >= 0) break walking;
        }
        continue;
      }

      let octet = bytes[at++] as number;
      let tag = octet;
      if (octet >= 0x80) {
        tag &= 0x7f;
        for (let bits = 7; octet >= 0x80; bits += 7) {
          if (at === limit || bits > 28) break fields;
          octet = bytes[at++] as number;
          tag |= (octet & 0x7f) << bits;
          if (bits === 28 && octet > 0x0f) break fields;
        }
      }
      if (tag >>> 3 === 0) break;
      const value = at;
      switch (tag & 7) {
        case 0: {
          do {
            if (at === limit) break fields;
          } while ((bytes[at++] as number) >= 0x80);
          if (at - value > 10) break fields;
          tags += value - start;
          varints += at - value;
          continue;
        }
        case 1: {
          if (limit - at < 8) break fields;
          at += 8;
          tags += value - start;
          fixed += 8;
          continue;
        }
        case 5: {
          if (limit - at < 4) break fields;
          at += 4;
          tags += value - start;
          fixed += 4;
          continue;
        }
        case 2: {
          if (at === limit) break fields;
          let length = bytes[at++] as number;
          if (length >= 0x80) {
            octet = length;
            length &= 0x7f;
            for (let bits = 7; octet >= 0x80; bits += 7) {
              if (at === limit || at - value === 10) break fields;
              octet = bytes[at++] as number;
              length += bits < 24 ? (octet & 0x7f) << bits : (octet & 0x7f) * 2 ** bits;
            }
          }
          if (length > limit - at) break fields;
          const header = at - value;
          if (length > 0) {
            const field = type === null ? undefined : type.field(tag >>> 3);
            switch (field === undefined ? UNKNOWN : field.kind) {
              case FIELD_KIND.string:
                strings += length;
                at += length;
                break;
              case FIELD_KIND.bytes:
                plain += length;
                at += length;
                break;
              case FIELD_KIND.fixed32:
                if ((length & 3) !== 0) break fields;
                fixed += length;
                at += length;
                break;
              case FIELD_KIND.fixed64:
                if ((length & 7) !== 0) break fields;
                fixed += length;
                at += length;
                break;
              case FIELD_KIND.varint:
                if (!wholeVarints(bytes, at, at + length)) break fields;
                varints += length;
                at += length;
                break;
              case FIELD_KIND.message: {
                if (depth === MAX_DEPTH) break fields;
                depth++;
                region = walk.regionAt(depth);
                region.kind = REGION.message;
                region.end = at + length + shift;
                type = (field as { readonly message: MessageType | null }).message;
                region.type = type;
                limit = at + length;
                break;
              }
              case FIELD_KIND.group:
              case UNKNOWN: {
                const offset = at + shift;
                walk.text.ask(bytes, to, shift, offset, offset + length);
                if (walk.text.holds(bytes, shift, offset, offset + length)) {
                  strings += length;
                  at += length;
                } else if (depth < MAX_DEPTH) {
                  depth++;
                  region = walk.regionAt(depth);
                  region.kind = REGION.question;
                  region.start = offset;
                  region.end = offset + length;
                  region.type = type = null;
                  limit = at + length;
                  if (question === 0) question = depth;
                  const { before } = region;
                  before[TAG] = tags + value - start;
                  before[LENGTH] = lengths + header;
                  before[VARINT] = varints;
                  before[FIXED] = fixed;
                  before[STRING] = strings;
                  before[BYTES] = plain;
                  before[GROUP] = groups;
                } else {
                  if (question === 0) break fields;
                  if (walk.tooDeep < 0) walk.tooDeep = offset;
                  plain += length;
                  at += length;
                }
              }
            }
          }
          tags += value - start;
          lengths += header;
          continue;
        }
        case 3: {
          if (question === 0) break fields;
          if (depth === MAX_DEPTH) {
            nested = true;
            break fields;
          }
          groups += value - start;
          const { end } = region;
          depth++;
          region = walk.regionAt(depth);
          region.kind = REGION.group;
          region.end = end;
          region.number = tag >>> 3;
          region.type = type = null;
          continue;
        }
        case 4: {
          if (depth === bottom || region.kind !== REGION.group || region.number !== tag >>> 3) break fields;
          groups += value - start;
          depth--;
          region = walk.regions[depth] as Region;
          type = region.type;
          continue;
        }
        default:
          break fields;
      }
    }

    // In a question of this run the field is broken: it holds no message, and bytes are all that is left for it to be.
    let asked = depth;
    while (asked > bottom && (walk.regions[asked] as Region).kind === REGION.group) asked--;
    region = walk.regions[asked] as Region;
    if (asked === bottom || region.kind !== REGION.question) {
      at = start;
      break;
    }
    const { before } = region;
    tags = before[TAG] as number;
    lengths = before[LENGTH] as number;
    varints = before[VARINT] as number;
    fixed = before[FIXED] as number;
    strings = before[STRING] as number;
    plain = (before[BYTES] as number) + region.end - region.start;
    groups = before[GROUP] as number;
    if (walk.tooDeep >= region.start) walk.tooDeep = -1;
    if (nested && walk.tooDeep < 0) walk.tooDeep = region.start;
    nested = false;
    depth = asked;
    at = limit = region.end - shift;
  }

  sums[TAG] = tags;
  sums[LENGTH] = lengths;
  sums[VARINT] = varints;
  sums[FIXED] = fixed;
  sums[STRING] = strings;
  sums[BYTES] = plain;
  sums[GROUP] = groups;
  if (walk.question > 0) add(walk.said.counts, BYTES, at - from);
  walk.depth = depth;
  walk.offset = at + shift;
  return at;
}

/** Are `bytes[from, to)` varints of at most 10 octets, and the last one whole? */
function wholeVarints(bytes: Uint8Array, from: number, to: number): boolean {
  let first = from;
  for (let at = from; at < to; at++) {
    if ((bytes[at] as number) >= 0x80) continue;
    if (at - first >= 10) return false;
    first = at + 1;
  }
  return first === to;
}
