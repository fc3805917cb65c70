/** Test set-up: builds pcapng blocks of one byte order, so that tests say what is in them. */
export class PcapngBlocks {
  readonly #littleEndian: boolean;

  constructor(littleEndian: boolean) {
    this.#littleEndian = littleEndian;
  }

  /** `body` is padded to a multiple of four octets. */
  block(type: number, body: Uint8Array): Uint8Array {
    const padded = Buffer.concat([body, new Uint8Array(-body.length & 3)]);
    const length = this.u32(padded.length + 12);
    return Buffer.concat([this.u32(type), length, padded, length]);
  }

  section(options: Uint8Array = new Uint8Array(0), major = 1): Uint8Array {
    const length = this.u64(-1n);
    return this.block(0x0a0d0d0a, Buffer.concat([this.u32(0x1a2b3c4d), this.u16(major), this.u16(0), length, options]));
  }

  interface(linkType: number, options: Uint8Array = new Uint8Array(0), snapLength = 0): Uint8Array {
    return this.block(1, Buffer.concat([this.u16(linkType), this.u16(0), this.u32(snapLength), options]));
  }

  /** An enhanced packet block. */
  packet(interfaceId: number, ticks: bigint, octets: Uint8Array, original = octets.length, options?: Uint8Array): Uint8Array {
    const padding = new Uint8Array(-octets.length & 3);
    const head = [this.u32(interfaceId), ...this.halves(ticks), this.u32(octets.length), this.u32(original)];
    return this.block(6, Buffer.concat([...head, octets, padding, options ?? new Uint8Array(0)]));
  }

  /** The obsolete packet block. */
  oldPacket(interfaceId: number, ticks: bigint, octets: Uint8Array): Uint8Array {
    const head = [
      this.u16(interfaceId),
      this.u16(0xffff),
      ...this.halves(ticks),
      this.u32(octets.length),
      this.u32(octets.length),
    ];
    return this.block(2, Buffer.concat([...head, octets]));
  }

  simplePacket(octets: Uint8Array, original = octets.length): Uint8Array {
    return this.block(3, Buffer.concat([this.u32(original), octets]));
  }

  option(code: number, value: Uint8Array): Uint8Array {
    return Buffer.concat([this.u16(code), this.u16(value.length), value, new Uint8Array(-value.length & 3)]);
  }

  u16(value: number): Uint8Array {
    const bytes = new Uint8Array(2);
    new DataView(bytes.buffer).setUint16(0, value, this.#littleEndian);
    return bytes;
  }

  u32(value: number): Uint8Array {
    const bytes = new Uint8Array(4);
    new DataView(bytes.buffer).setUint32(0, value, this.#littleEndian);
    return bytes;
  }

  u64(value: bigint): Uint8Array {
    const bytes = new Uint8Array(8);
    new DataView(bytes.buffer).setBigInt64(0, value, this.#littleEndian);
    return bytes;
  }

  /** A time is two 32-bit numbers, the high one first in both byte orders. */
  halves(ticks: bigint): [Uint8Array, Uint8Array] {
    return [this.u32(Number(ticks >> 32n)), this.u32(Number(ticks & 0xffffffffn))];
  }
}
