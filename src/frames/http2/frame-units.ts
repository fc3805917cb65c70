import type { Report } from "../core/violation.ts";
import { violation } from "../core/violation.ts";
import type { Frame } from "./frame.ts";
import { PART } from "./frame-handler.ts";
import { headerSpan } from "./frame-header.ts";
import { checkData } from "./frames/data.ts";
import { checkGoaway, isGoawayLength, readGoaway } from "./frames/goaway.ts";
import { checkHeaders } from "./frames/headers.ts";
import { checkPing, readPing, readPingHeader } from "./frames/ping.ts";
import { checkPriority, isPriorityLength, readPriority } from "./frames/priority.ts";
import { checkPriorityUpdate, isPriorityUpdateLength } from "./frames/priority-update.ts";
import { checkPushPromise } from "./frames/push-promise.ts";
import { checkRstStream, isRstStreamLength, readRstStream } from "./frames/rst-stream.ts";
import { checkSettings, readSettings, readSettingsHeader } from "./frames/settings.ts";
import { checkWindowUpdate, isWindowUpdateLength, readWindowUpdate } from "./frames/window-update.ts";
import { type Direction, FRAME_TYPE } from "./registry.ts";

/** Read what the header says of a frame that carries no content and no field block: its flags, and whether its length is legal. */
export function readOtherHeader(frame: Frame): void {
  switch (frame.type) {
    case FRAME_TYPE.SETTINGS:
      readSettingsHeader(frame);
      break;
    case FRAME_TYPE.PING:
      readPingHeader(frame);
      break;
    case FRAME_TYPE.WINDOW_UPDATE:
      frame.malformed = !isWindowUpdateLength(frame.length);
      break;
    case FRAME_TYPE.RST_STREAM:
      frame.malformed = !isRstStreamLength(frame.length);
      break;
    case FRAME_TYPE.PRIORITY:
      frame.malformed = !isPriorityLength(frame.length);
      break;
    case FRAME_TYPE.GOAWAY:
      frame.malformed = !isGoawayLength(frame.length);
      break;
    case FRAME_TYPE.PRIORITY_UPDATE:
      frame.malformed = !isPriorityUpdateLength(frame.length);
      break;
    default:
      frame.malformed = false;
  }
}

/** Part of a frame's payload as a whole: that of a held type, or `unknown_payload` for a type that streams. */
export function payloadPart(type: number): number {
  switch (type) {
    case FRAME_TYPE.SETTINGS:
      return PART.settings;
    case FRAME_TYPE.PING:
      return PART.ping;
    case FRAME_TYPE.WINDOW_UPDATE:
      return PART.window_update;
    case FRAME_TYPE.RST_STREAM:
      return PART.rst_stream;
    case FRAME_TYPE.PRIORITY:
      return PART.priority;
    case FRAME_TYPE.GOAWAY:
      return PART.goaway;
    default:
      return PART.unknown_payload;
  }
}

/** Read the payload of a held type, `bytes[at, at + octets)`: all of it, or of a longer one what the cap allows. */
export function readControlPayload(frame: Frame, bytes: Uint8Array, at: number, octets: number): void {
  switch (frame.type) {
    case FRAME_TYPE.SETTINGS:
      readSettings(frame, bytes, at, octets);
      break;
    case FRAME_TYPE.PING:
      readPing(frame, bytes, at);
      break;
    case FRAME_TYPE.WINDOW_UPDATE:
      readWindowUpdate(frame, bytes, at);
      break;
    case FRAME_TYPE.RST_STREAM:
      readRstStream(frame, bytes, at);
      break;
    case FRAME_TYPE.PRIORITY:
      readPriority(frame, bytes, at);
      break;
    default:
      readGoaway(frame, bytes, at, octets);
  }
}

/** Report everything that is wrong with a frame by itself: RFC 9113 §4.2 and its type's own section. */
export function checkFrame(frame: Frame, maxFrameSize: number, direction: Direction | undefined, report: Report): void {
  if (frame.length > maxFrameSize) {
    report(violation("frame-length", "FRAME_SIZE_ERROR", "RFC 9113 §4.2", headerSpan(frame)));
  }
  switch (frame.type) {
    case FRAME_TYPE.DATA:
      checkData(frame, report);
      break;
    case FRAME_TYPE.HEADERS:
      checkHeaders(frame, report);
      break;
    case FRAME_TYPE.PRIORITY:
      checkPriority(frame, report);
      break;
    case FRAME_TYPE.RST_STREAM:
      checkRstStream(frame, report);
      break;
    case FRAME_TYPE.SETTINGS:
      checkSettings(frame, report, direction);
      break;
    case FRAME_TYPE.PUSH_PROMISE:
      checkPushPromise(frame, report, direction);
      break;
    case FRAME_TYPE.PING:
      checkPing(frame, report);
      break;
    case FRAME_TYPE.GOAWAY:
      checkGoaway(frame, report);
      break;
    case FRAME_TYPE.WINDOW_UPDATE:
      checkWindowUpdate(frame, report);
      break;
    case FRAME_TYPE.PRIORITY_UPDATE:
      checkPriorityUpdate(frame, report, direction);
      break;
  }
}
