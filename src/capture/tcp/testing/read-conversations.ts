import { Dissector } from "../../dissect/dissector.ts";
import { readCaptureFile } from "../../read-capture-file.ts";
import { TCP_FLAG, type TcpSegment } from "../../tcp-segment.ts";
import { endpointText } from "../endpoint.ts";
import { TcpTracker } from "../tcp-tracker.ts";
import { ConversationRecorder } from "./conversation-recorder.ts";
import { PaintedSide } from "./painted-side.ts";

/** The model of one conversation: its endpoints are those of its first packet. */
export interface PaintedConversation {
  readonly endpoints: readonly [string, string];
  readonly sides: readonly [PaintedSide, PaintedSide];
  readonly initialSequences: [number | null, number | null];
}

/** Read a capture through reader, dissector and tracker; beside it, the same segments through the model. */
export async function readConversations(
  path: string,
): Promise<{ readonly recorder: ConversationRecorder; readonly painted: readonly PaintedConversation[] }> {
  const recorder = new ConversationRecorder();
  const tracker = new TcpTracker(recorder);
  const painted: PaintedConversation[] = [];
  const dissector = new Dissector({
    segment(segment) {
      paint(painted, segment);
      tracker.segment(segment);
    },
    note() {},
  });
  await readCaptureFile(path, { packet: (packet) => dissector.packet(packet), note() {} });
  tracker.end();
  return { recorder, painted };
}

/** Add a segment to the newest conversation of its endpoints, unless it is a SYN that does not fit it. */
function paint(painted: PaintedConversation[], segment: TcpSegment): void {
  const from = endpointText(segment.source, segment.sourcePort);
  const to = endpointText(segment.destination, segment.destinationPort);
  let known = painted.findLast(({ endpoints: [one, other] }) => (one === from && other === to) || (one === to && other === from));
  const side = known === undefined || known.endpoints[0] === from ? 0 : 1;
  const opens = (segment.flags & (TCP_FLAG.syn | TCP_FLAG.ack | TCP_FLAG.rst)) === TCP_FLAG.syn;
  const fits = known !== undefined && (known.initialSequences[side] ?? segment.sequence) === segment.sequence;
  if (known === undefined || (opens && !fits)) {
    known = { endpoints: [from, to], sides: [new PaintedSide(), new PaintedSide()], initialSequences: [null, null] };
    painted.push(known);
    known.sides[0].add(segment);
    if (opens) known.initialSequences[0] = segment.sequence;
    return;
  }
  known.sides[side].add(segment);
  if (opens) known.initialSequences[side] = segment.sequence;
}
