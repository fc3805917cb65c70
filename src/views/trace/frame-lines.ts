import { errorCodeName, FRAME_TYPE, flagNames, frameTypeName, octetString, settingName } from "http2-frame-parser";
import type { H2FrameDetail } from "../../decode/wire-unit.ts";
import { escapeOctets } from "../escape.ts";
import type { Redactor } from "../redact.ts";
import type { Theme } from "../theme.ts";

/** `HEADERS frame <length=114, flags=0x04, stream_id=1>`, nghttp's layout. */
export function frameTitle(frame: H2FrameDetail, theme: Theme): string {
  const name = frameTypeName(frame.type) ?? `UNKNOWN(${hex(frame.type)})`;
  const reserved = frame.reserved === 0 ? "" : ", reserved=1";
  return `${theme.unit(name)} frame <length=${frame.length}, flags=${hex(frame.flags)}, stream_id=${frame.streamId}${reserved}>`;
}

/** The lines below the title: flags, and the values that the frame carries. */
export function frameLines(frame: H2FrameDetail, redactor: Redactor, theme: Theme): readonly string[] {
  const lines: string[] = [];
  const flags = flagNames(frame.type, frame.flags);
  if (flags.length > 0) lines.push(theme.dim(`; ${flags.join(" | ")}`));
  if (frame.malformed) lines.push(theme.bad("; malformed: its length or padding is not legal for its type"));
  const values = frameValues(frame, redactor);
  if (values.length > 0) lines.push(`(${values.join(", ")})`);
  for (const [identifier, value] of frame.settings ?? []) lines.push(`[${settingText(identifier)}:${value}]`);
  return lines;
}

function frameValues(frame: H2FrameDetail, redactor: Redactor): readonly string[] {
  const values: string[] = [];
  if (frame.settings !== null) values.push(`niv=${frame.settings.length}`);
  if (frame.padLength !== null) values.push(`padlen=${frame.padLength}`);
  if (frame.priority !== null) {
    const { dependency, weight, exclusive } = frame.priority;
    values.push(`dep_stream_id=${dependency}`, `weight=${weight}`, `exclusive=${exclusive ? 1 : 0}`);
  }
  if (frame.promisedStreamId !== null) values.push(`promised_stream_id=${frame.promisedStreamId}`);
  if (frame.increment !== null) values.push(`window_size_increment=${frame.increment}`);
  if (frame.lastStreamId !== null) values.push(`last_stream_id=${frame.lastStreamId}`);
  if (frame.errorCode !== null) values.push(`error_code=${errorCodeText(frame.errorCode)}`);
  if (frame.type === FRAME_TYPE.PING && frame.opaqueData !== null) {
    values.push(`opaque_data=${Buffer.from(frame.opaqueData).toString("hex")}`);
  }
  if (frame.debugData !== null) {
    const text = escapeOctets(redactor.text(octetString(frame.debugData, 0, frame.debugData.length)));
    values.push(`opaque_data(${frame.debugData.length})=[${text}]`);
  }
  return values;
}

/** `NO_ERROR(0x00)`; a code that the registry does not have: `UNKNOWN(0x1f)`. */
function errorCodeText(code: number): string {
  return named(errorCodeName(code), code);
}

/** `SETTINGS_MAX_FRAME_SIZE(0x05)`; an identifier that the registry does not have: `UNKNOWN(0x4d44)`. */
function settingText(identifier: number): string {
  const name = settingName(identifier);
  return name.startsWith("0x") ? `UNKNOWN(${name})` : `SETTINGS_${named(name, identifier)}`;
}

function named(name: string, code: number): string {
  return name.startsWith("0x") ? `UNKNOWN(${name})` : `${name}(${hex(code)})`;
}

function hex(octet: number): string {
  return `0x${octet.toString(16).padStart(2, "0")}`;
}
