import type { Frame } from "./frame.ts";
import { LAYER, type Step } from "./layer.ts";

const ENTRY_OCTETS = 4;
const BOTTOM_OF_STACK = 0x01;
const CONTROL_WORD_OCTETS = 4;

/** A label stack, RFC 3032 §2.1. Nothing in it says what follows: the first four bits do (RFC 4928 §3). */
export function readMpls(frame: Frame): Step {
  let bottom = false;
  while (!bottom) {
    if (!frame.has(ENTRY_OCTETS)) return frame.lacks(ENTRY_OCTETS);
    bottom = (frame.u8(2) & BOTTOM_OF_STACK) !== 0;
    frame.at += ENTRY_OCTETS;
  }
  if (!frame.has(1)) return frame.lacks(1);
  const nibble = frame.u8(0) >>> 4;
  if (nibble === 4 || nibble === 6) return LAYER.ip;
  // RFC 4448 §4.6: Ethernet behind a control word that begins with 0, or without one.
  if (nibble === 0) {
    if (!frame.has(CONTROL_WORD_OCTETS)) return frame.lacks(CONTROL_WORD_OCTETS);
    frame.at += CONTROL_WORD_OCTETS;
  }
  return LAYER.ethernet;
}
