/**
 * The frame a {@link FrameReader} is at. One object per direction, reused for every frame: copy what you keep.
 * Fields of other types than the current one hold stale values.
 */
export interface Frame {
  /** Offset of the 9-octet header in the direction's octet space. */
  offset: number;
  /** Payload length as declared, 0 to 2^24-1. */
  length: number;
  /** Type octet as it stood on the wire. */
  type: number;
  /** Flags octet as it stood on the wire. */
  flags: number;
  /** The reserved bit before the stream identifier, 0 or 1. */
  reserved: number;
  streamId: number;
  /** A known type of illegal length, or padding longer than its payload: the payload (after Pad Length) is `malformed`. */
  malformed: boolean;

  // DATA, HEADERS, PUSH_PROMISE
  endStream: boolean;
  /** Declared Pad Length; -1 without the PADDED flag. */
  padLength: number;

  // HEADERS with PRIORITY, PRIORITY
  hasPriority: boolean;
  exclusive: boolean;
  dependency: number;
  /** 1 to 256. */
  weight: number;

  // HEADERS, CONTINUATION, PUSH_PROMISE
  /**
   * Type of the frame that opened the field block, HEADERS or PUSH_PROMISE. `endStream`, `promisedStreamId` and the priority fields stay
   * that frame's through the block's CONTINUATIONs. -1 for a CONTINUATION without a block.
   */
  blockType: number;
  /** Octets of this frame's fragment of the field block. */
  fragmentLength: number;
  /** Frame that carries the last fragment of its block. */
  endHeaders: boolean;

  /** PUSH_PROMISE: -1 when the frame is malformed or ended before it. */
  promisedStreamId: number;
  /** SETTINGS, PING: the ACK flag. */
  ack: boolean;
  /** SETTINGS: identifier, value, identifier, value, … in wire order, unknown ones too. Reused. */
  settings: number[];
  /** PING: 8 opaque octets. Reused. */
  opaqueData: Uint8Array;
  /** WINDOW_UPDATE: 1 to 2^31-1; 0 is a violation. The reserved bit is left out. */
  increment: number;
  /** RST_STREAM, GOAWAY: error code as it stood on the wire. */
  errorCode: number;
  /** GOAWAY */
  lastStreamId: number;
  /** GOAWAY: Additional Debug Data, up to the control frame cap. Borrowed. */
  debugData: Uint8Array;
}

/** A frame to read into. */
export function createFrame(): Frame {
  return {
    offset: 0,
    length: 0,
    type: 0,
    flags: 0,
    reserved: 0,
    streamId: 0,
    malformed: false,
    endStream: false,
    padLength: -1,
    hasPriority: false,
    exclusive: false,
    dependency: 0,
    weight: 0,
    blockType: -1,
    fragmentLength: 0,
    endHeaders: false,
    promisedStreamId: 0,
    ack: false,
    settings: [],
    opaqueData: new Uint8Array(8),
    increment: 0,
    errorCode: 0,
    lastStreamId: 0,
    debugData: new Uint8Array(0),
  };
}
