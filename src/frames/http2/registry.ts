import type { RfcRef } from "../core/violation.ts";

/** Who sends: client to server, or server to client. */
export type Direction = "c2s" | "s2c";

/** RFC 9113 §7 and IANA "HTTP/2 Error Code" registry, in its order: the code is the position. */
export const ERROR_CODES = [
  "NO_ERROR",
  "PROTOCOL_ERROR",
  "INTERNAL_ERROR",
  "FLOW_CONTROL_ERROR",
  "SETTINGS_TIMEOUT",
  "STREAM_CLOSED",
  "FRAME_SIZE_ERROR",
  "REFUSED_STREAM",
  "CANCEL",
  "COMPRESSION_ERROR",
  "CONNECT_ERROR",
  "ENHANCE_YOUR_CALM",
  "INADEQUATE_SECURITY",
  "HTTP_1_1_REQUIRED",
] as const;
/** Name of an error code that the registry has. */
export type ErrorCodeName = (typeof ERROR_CODES)[number];

/** Name of an error code, or `0x…` for one that the registry does not have. */
export function errorCodeName(code: number): string {
  return ERROR_CODES[code] ?? `0x${code.toString(16)}`;
}

type FrameTypeRow = Readonly<{ code: number; name: string; flags: Readonly<Record<string, number>>; ref: RfcRef }>;

/** IANA "HTTP/2 Frame Type" registry; flags as each frame's own section defines them. */
export const FRAME_TYPES = [
  { code: 0x00, name: "DATA", flags: { END_STREAM: 0x01, PADDED: 0x08 }, ref: "RFC 9113 §6.1" },
  {
    code: 0x01,
    name: "HEADERS",
    flags: { END_STREAM: 0x01, END_HEADERS: 0x04, PADDED: 0x08, PRIORITY: 0x20 },
    ref: "RFC 9113 §6.2",
  },
  { code: 0x02, name: "PRIORITY", flags: {}, ref: "RFC 9113 §6.3" },
  { code: 0x03, name: "RST_STREAM", flags: {}, ref: "RFC 9113 §6.4" },
  { code: 0x04, name: "SETTINGS", flags: { ACK: 0x01 }, ref: "RFC 9113 §6.5" },
  { code: 0x05, name: "PUSH_PROMISE", flags: { END_HEADERS: 0x04, PADDED: 0x08 }, ref: "RFC 9113 §6.6" },
  { code: 0x06, name: "PING", flags: { ACK: 0x01 }, ref: "RFC 9113 §6.7" },
  { code: 0x07, name: "GOAWAY", flags: {}, ref: "RFC 9113 §6.8" },
  { code: 0x08, name: "WINDOW_UPDATE", flags: {}, ref: "RFC 9113 §6.9" },
  { code: 0x09, name: "CONTINUATION", flags: { END_HEADERS: 0x04 }, ref: "RFC 9113 §6.10" },
  { code: 0x0a, name: "ALTSVC", flags: {}, ref: "RFC 7838 §4" },
  { code: 0x0c, name: "ORIGIN", flags: {}, ref: "RFC 8336 §2" },
  { code: 0x10, name: "PRIORITY_UPDATE", flags: {}, ref: "RFC 9218 §7.1" },
] as const satisfies readonly FrameTypeRow[];
/** Name of a frame type that the registry has. */
export type FrameTypeName = (typeof FRAME_TYPES)[number]["name"];

/** Type octets by name: `FRAME_TYPE.HEADERS`. */
export const FRAME_TYPE = Object.fromEntries(FRAME_TYPES.map((row) => [row.name, row.code])) as {
  readonly [N in FrameTypeName]: number;
};

const NAMES: readonly (FrameTypeName | undefined)[] = FRAME_TYPES.reduce<(FrameTypeName | undefined)[]>((names, row) => {
  names[row.code] = row.name;
  return names;
}, []);

/** Name of a frame type, or undefined for one that the registry does not have. */
export function frameTypeName(type: number): FrameTypeName | undefined {
  return NAMES[type];
}

/** Names of the flags that are set; undefined bits as `0x…`. Unknown types have no flags (RFC 9113 §4.1). */
export function flagNames(type: number, flags: number): readonly string[] {
  const row: FrameTypeRow | undefined = FRAME_TYPES.find((candidate) => candidate.code === type);
  if (row === undefined) return [];
  const names: string[] = [];
  let left = flags;
  for (const [name, bit] of Object.entries(row.flags)) {
    if ((flags & bit) === 0) continue;
    names.push(name);
    left &= ~bit;
  }
  if (left !== 0) names.push(`0x${left.toString(16).padStart(2, "0")}`);
  return names;
}

/** IANA "HTTP/2 Settings" registry. */
export const SETTINGS = [
  { code: 0x01, name: "HEADER_TABLE_SIZE", initial: 4096, ref: "RFC 9113 §6.5.2" },
  { code: 0x02, name: "ENABLE_PUSH", initial: 1, ref: "RFC 9113 §6.5.2" },
  { code: 0x03, name: "MAX_CONCURRENT_STREAMS", initial: Number.POSITIVE_INFINITY, ref: "RFC 9113 §6.5.2" },
  { code: 0x04, name: "INITIAL_WINDOW_SIZE", initial: 65535, ref: "RFC 9113 §6.5.2" },
  { code: 0x05, name: "MAX_FRAME_SIZE", initial: 16384, ref: "RFC 9113 §6.5.2" },
  { code: 0x06, name: "MAX_HEADER_LIST_SIZE", initial: Number.POSITIVE_INFINITY, ref: "RFC 9113 §6.5.2" },
  { code: 0x08, name: "ENABLE_CONNECT_PROTOCOL", initial: 0, ref: "RFC 8441 §3" },
  { code: 0x09, name: "NO_RFC7540_PRIORITIES", initial: 0, ref: "RFC 9218 §2.1" },
] as const satisfies readonly Readonly<{ code: number; name: string; initial: number; ref: RfcRef }>[];
/** Name of a setting that the registry has. */
export type SettingName = (typeof SETTINGS)[number]["name"];

/** Setting identifiers by name: `SETTING.INITIAL_WINDOW_SIZE`. */
export const SETTING = Object.fromEntries(SETTINGS.map((row) => [row.name, row.code])) as { readonly [N in SettingName]: number };

/** Name of a setting, or `0x…` for one that the registry does not have. */
export function settingName(identifier: number): string {
  return SETTINGS.find((row) => row.code === identifier)?.name ?? `0x${identifier.toString(16).padStart(2, "0")}`;
}
