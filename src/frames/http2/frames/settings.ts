import { type Report, type RfcRef, violation } from "../../core/violation.ts";
import type { Frame } from "../frame.ts";
import { FRAME_HEADER_OCTETS, type FrameHeader, frameHeader, headerSpan, payloadSpan, readUint32 } from "../frame-header.ts";
import { concatOctets, type FrameOptions, uint32, writeFrame } from "../frame-writer.ts";
import { type Direction, type ErrorCodeName, FRAME_TYPE, SETTING } from "../registry.ts";

const ACK = 0x01;
/** Identifier (2 octets), Value (4). */
const PAIR_OCTETS = 6;
const SECTION = "RFC 9113 §6.5";
const VALUES = "RFC 9113 §6.5.2";

/** SETTINGS, RFC 9113 §6.5. */
export interface SettingsFrame {
  readonly kind: "SETTINGS";
  readonly header: FrameHeader;
  readonly ack: boolean;
  /** In wire order, repeated and unknown ones too; empty when the frame is malformed. */
  readonly settings: readonly Setting[];
  readonly malformed: boolean;
}

/** One setting as it stood on the wire. */
export interface Setting {
  readonly identifier: number;
  /** 0 to 2^32-1. */
  readonly value: number;
}

/** Read what the header says of a SETTINGS frame. */
export function readSettingsHeader(frame: Frame): void {
  frame.ack = (frame.flags & ACK) !== 0;
  frame.settings.length = 0;
  frame.malformed = frame.ack ? frame.length > 0 : frame.length % PAIR_OCTETS !== 0;
}

/** Read the whole pairs in `bytes[at, at + octets)`. */
export function readSettings(frame: Frame, bytes: Uint8Array, at: number, octets: number): void {
  for (let pair = at; pair + PAIR_OCTETS <= at + octets; pair += PAIR_OCTETS) {
    frame.settings.push(((bytes[pair] as number) << 8) | (bytes[pair + 1] as number), readUint32(bytes, pair + 2));
  }
}

/** Report what is wrong with a SETTINGS frame. @param direction of the frame, when it is known. */
export function checkSettings(frame: Frame, report: Report, direction: Direction | undefined): void {
  if (frame.streamId !== 0) report(violation("settings-on-stream", "PROTOCOL_ERROR", SECTION, headerSpan(frame)));
  if (frame.malformed) {
    report(violation(frame.ack ? "settings-ack-length" : "settings-length", "FRAME_SIZE_ERROR", SECTION, payloadSpan(frame)));
  }
  const { settings } = frame;
  for (let at = 0; at < settings.length; at += 2) {
    const broken = brokenValue(settings[at] as number, settings[at + 1] as number, direction);
    if (broken === undefined) continue;
    const start = frame.offset + FRAME_HEADER_OCTETS + (at / 2) * PAIR_OCTETS;
    report(violation(...broken, { start, end: start + PAIR_OCTETS }));
  }
}

type Broken = readonly [rule: string, errorCode: ErrorCodeName, ref: RfcRef];

function brokenValue(identifier: number, value: number, direction: Direction | undefined): Broken | undefined {
  switch (identifier) {
    case SETTING.ENABLE_PUSH:
      return value > (direction === "s2c" ? 0 : 1) ? ["settings-enable-push", "PROTOCOL_ERROR", VALUES] : undefined;
    case SETTING.INITIAL_WINDOW_SIZE:
      return value > 0x7fffffff ? ["settings-initial-window-size", "FLOW_CONTROL_ERROR", VALUES] : undefined;
    case SETTING.MAX_FRAME_SIZE:
      return value < 0x4000 || value > 0xffffff ? ["settings-max-frame-size", "PROTOCOL_ERROR", VALUES] : undefined;
    case SETTING.ENABLE_CONNECT_PROTOCOL:
      return value > 1 ? ["settings-enable-connect-protocol", "PROTOCOL_ERROR", "RFC 8441 §3"] : undefined;
    case SETTING.NO_RFC7540_PRIORITIES:
      return value > 1 ? ["settings-no-rfc7540-priorities", "PROTOCOL_ERROR", "RFC 9218 §2.1"] : undefined;
    default:
      return undefined;
  }
}

/** Copy the SETTINGS frame that a reader is at. */
export function settingsFrame(frame: Frame): SettingsFrame {
  const settings: Setting[] = [];
  for (let at = 0; at < frame.settings.length; at += 2) {
    settings.push({ identifier: frame.settings[at] as number, value: frame.settings[at + 1] as number });
  }
  return { kind: "SETTINGS", header: frameHeader(frame), ack: frame.ack, settings, malformed: frame.malformed };
}

/** Write a SETTINGS frame. */
export function writeSettings(settings: readonly Setting[], options: FrameOptions = {}): Uint8Array {
  const pairs = settings.map(({ identifier, value }) =>
    concatOctets([Uint8Array.of(identifier >>> 8, identifier), uint32(value)]),
  );
  return writeFrame(FRAME_TYPE.SETTINGS, options.flags ?? 0, 0, concatOctets(pairs), options.reserved);
}

/** Write the acknowledgement of a SETTINGS frame. */
export function writeSettingsAck(options: FrameOptions = {}): Uint8Array {
  return writeSettings([], { ...options, flags: (options.flags ?? 0) | ACK });
}
