import { OctetBuffer } from "../../decode/octet-buffer.ts";
import type { CaptureHandler, CaptureReader } from "../packet.ts";
import type { CaptureFacts } from "./capture-facts.ts";
import { pcapMagic } from "./pcap-header.ts";
import { PcapReader } from "./pcap-reader.ts";
import { PcapngReader } from "./pcapng-reader.ts";
import { isPcapng, notACapture, SIGNATURE_OCTETS } from "./signatures.ts";

/** A reader that finds out by itself what it reads. */
export interface DetectingReader extends CaptureReader {
  /** Null: the format is not known (yet). */
  readonly facts: CaptureFacts | null;
  /**
   * Why nothing at all can be read, in words that follow the capture's name ("is empty: …"); null while that is open, or not so.
   * Once it is told, more octets change nothing.
   */
  readonly refusal: string | null;
}

/**
 * A reader of pcap or pcapng, told apart by content. Memory: one packet or block of at most 16 MiB (longer ones are passed over), and
 * the interfaces of one section. Damage ends the reading with a note; what came before has been delivered.
 */
export function openCaptureReader(handler: CaptureHandler): DetectingReader {
  return new ContentReader(handler);
}

class ContentReader implements DetectingReader {
  readonly #handler: CaptureHandler;
  readonly #start = new OctetBuffer();
  #reader: (CaptureReader & { readonly facts: CaptureFacts }) | undefined;
  #refusal: string | null = null;

  constructor(handler: CaptureHandler) {
    this.#handler = handler;
  }

  get facts(): CaptureFacts | null {
    return this.#reader?.facts ?? null;
  }

  get refusal(): string | null {
    return this.#refusal;
  }

  push(octets: Uint8Array): void {
    if (this.#reader === undefined) this.#detect(octets);
    else this.#reader.push(octets);
  }

  end(): void {
    if (this.#reader === undefined) {
      this.#refusal ??=
        isPcapng(this.#start.bytes) === "more" && this.#start.length >= 4 ? HEADERLESS : notACapture(this.#start.bytes);
      return;
    }
    this.#reader.end();
    if (!this.#reader.facts.begun) this.#refusal = HEADERLESS;
  }

  #detect(octets: Uint8Array): void {
    if (this.#refusal !== null || octets.length === 0) return;
    this.#start.append(octets, 0, octets.length);
    const start = this.#start.bytes;
    this.#reader = this.#readerFor(start);
    if (this.#reader !== undefined) {
      this.#reader.push(start);
      this.#start.take(start.length);
    } else if (start.length >= SIGNATURE_OCTETS) this.#refusal = notACapture(start);
  }

  #readerFor(start: Uint8Array): (CaptureReader & { readonly facts: CaptureFacts }) | undefined {
    const magic = pcapMagic(start);
    if (magic !== undefined) return new PcapReader(this.#handler, magic);
    return isPcapng(start) === "yes" ? new PcapngReader(this.#handler) : undefined;
  }
}

const HEADERLESS = "begins like a capture and ends, or is damaged, inside its first header: nothing in it can be read";
