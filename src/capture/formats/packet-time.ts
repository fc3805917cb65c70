/** Turns a 64-bit count of ticks, in two halves, into nanoseconds since 1970 UTC; null: no time that a calendar has. */
export type PacketClock = (high: number, low: number) => bigint | null;

const SECOND = 1_000_000_000n;
/** 9999-12-31T23:59:59.999999999Z: RFC 3339 can write nothing later. */
const LATEST = 253_402_300_800n * SECOND - 1n;

const BASE_TWO = 0x80;
const NANOSECONDS = 9;

/**
 * The clock of an interface, draft-ietf-opsawg-pcapng §4.2. Fractions of a nanosecond are dropped, towards the past.
 * @param resolution if_tsresol: a tick is 10^-n seconds, with the high bit set 2^-n seconds.
 * @param offsetSeconds if_tsoffset, added to every time.
 */
export function packetClock(resolution: number, offsetSeconds: bigint): PacketClock {
  const exponent = resolution & 0x7f;
  const offset = offsetSeconds * SECOND;
  const ticks = tickReader();
  if ((resolution & BASE_TWO) !== 0) {
    const shift = BigInt(exponent);
    return (high, low) => inCalendar(((ticks(high, low) * SECOND) >> shift) + offset);
  }
  if (exponent === NANOSECONDS && offset === 0n) return (high, low) => inCalendar(ticks(high, low));
  if (exponent <= NANOSECONDS) {
    const factor = 10n ** BigInt(NANOSECONDS - exponent);
    return (high, low) => inCalendar(ticks(high, low) * factor + offset);
  }
  const divisor = 10n ** BigInt(exponent - NANOSECONDS);
  return (high, low) => inCalendar(ticks(high, low) / divisor + offset);
}

function inCalendar(timeNs: bigint): bigint | null {
  return timeNs >= 0n && timeNs <= LATEST ? timeNs : null;
}

/** Joins two halves through shared memory: one bigint is made, where shifting and adding would make four. */
function tickReader(): (high: number, low: number) => bigint {
  const view = new DataView(new ArrayBuffer(8));
  return (high, low) => {
    view.setUint32(0, high);
    view.setUint32(4, low);
    return view.getBigUint64(0);
  };
}
