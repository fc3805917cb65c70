import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { C2S, type Direction, S2C } from "../../decode/direction.ts";
import type { Conversation, ConversationHandler, Side } from "../conversation.ts";
import { Dissector } from "../dissect/dissector.ts";
import { openCaptureReader } from "../formats/open-capture-reader.ts";
import { TcpTracker } from "../tcp/tcp-tracker.ts";
import { ConversationWriter } from "./conversation-writer.ts";
import { PcapngWriter } from "./pcapng-writer.ts";

const START = 1_700_000_000_000_000_000n;
const SECTION = { hardware: "h", os: "o", application: "a", comment: "c" };
/** Of both families; the first two are one pair. */
const CLIENTS = ["192.0.2.1:40000", "192.0.2.1:40000", "[2001:db8::1]:40000"];
const SERVER = "192.0.2.9:80";

type Step = readonly [connection: number, direction: Direction, octets: number];
type Ending = "fin" | "reset" | "close";

/** What one connection came to: octets by direction, then how it ended. */
interface Story {
  readonly sent: readonly [Buffer[], Buffer[]];
  readonly ends: string[];
}
const story = (): Story => ({ sent: [[], []], ends: [] });
const told = ({ sent, ends }: Story) => ({
  c2s: Buffer.concat(sent[0]).toString("hex"),
  s2c: Buffer.concat(sent[1]).toString("hex"),
  ends,
});

/** Everything that is read of the files, in order, is read as one capture. */
function readBack(files: readonly Buffer[]): Story[] {
  const stories: Story[] = [];
  const of = (conversation: Conversation): Story => {
    stories[conversation.ordinal - 1] ??= story();
    return stories[conversation.ordinal - 1] as Story;
  };
  const direction = (conversation: Conversation, side: Side): Direction => (conversation.client === side ? C2S : S2C);
  const handler: ConversationHandler = {
    open: (conversation) => assert.notEqual(conversation.client, null, "its SYN was seen"),
    data(conversation, side, octets, _packet, timeNs) {
      assert.ok(timeNs !== null && timeNs > START, "deltas have their own times");
      of(conversation).sent[direction(conversation, side)].push(Buffer.from(octets));
    },
    gap: () => assert.fail("nothing is missing"),
    fin: (conversation, side) => of(conversation).ends.push(`fin ${direction(conversation, side)}`),
    reset: (conversation, side) => of(conversation).ends.push(`reset ${direction(conversation, side)}`),
    close: (conversation) => of(conversation).ends.push("close"),
    note: (_conversation, _side, code) => assert.fail(code),
  };
  const tracker = new TcpTracker(handler);
  const dissector = new Dissector({ segment: (segment) => tracker.segment(segment), note: (code) => assert.fail(code) });
  for (const file of files) {
    const reader = openCaptureReader({ packet: (packet) => dissector.packet(packet), note: (code) => assert.fail(code) });
    reader.push(file);
    reader.end();
  }
  tracker.end();
  return stories;
}

test("what is written is read back, whatever was relayed, in files of any size", () => {
  const direction = fc.constantFrom<Direction[]>(C2S, S2C);
  const steps = fc.array(
    fc.tuple(fc.nat({ max: CLIENTS.length - 1 }), direction, fc.oneof(fc.nat({ max: 40 }), fc.nat({ max: 200_000 }))),
    { maxLength: 12 },
  );
  const endings = fc.array(fc.constantFrom<Ending[]>("fin", "reset", "close"), {
    minLength: CLIENTS.length,
    maxLength: CLIENTS.length,
  });
  const size = fc.oneof(fc.constant(null), fc.integer({ min: 70_000, max: 150_000 }));
  fc.assert(
    fc.property(steps, endings, size, (script, ends, maxFileOctets) => {
      const { files, expected } = write(script, ends, maxFileOctets);
      for (const file of files) assert.ok(file.length <= (maxFileOctets ?? Number.POSITIVE_INFINITY), `${file.length} octets`);
      assert.deepEqual(readBack(files).map(told), expected.map(told));
    }),
    { numRuns: 60 },
  );
});

function write(script: readonly Step[], ends: readonly Ending[], maxFileOctets: number | null) {
  const files: Uint8Array[][] = [[]];
  const reserve = (octets: number) => {
    const room = new Uint8Array(octets).fill(0xee);
    files.at(-1)?.push(room);
    return room;
  };
  const writer = new ConversationWriter(new PcapngWriter({ reserve, nextFile: () => files.push([]) }, SECTION, maxFileOctets));
  writer.listener("l", "127.0.0.1:1", SERVER);
  const expected = CLIENTS.map(story);
  for (const [at, client] of CLIENTS.entries()) writer.open({ id: `c${at}`, listener: "l", client, server: SERVER }, START);
  let time = START;
  for (const [connection, direction, length] of script) {
    const octets = Buffer.from(Uint8Array.from({ length }, (_, at) => at * 31 + connection + length));
    writer.note(`c${connection}`, "a note", direction);
    writer.delta(`c${connection}`, direction, octets, ++time);
    expected[connection]?.sent[direction].push(octets);
  }
  for (const [at, ending] of ends.entries()) {
    if (ending === "fin") for (const direction of [S2C, C2S] as const) writer.fin(`c${at}`, direction, ++time);
    if (ending === "reset") writer.reset(`c${at}`, C2S, ++time);
    writer.close(`c${at}`, ++time);
    expected[at]?.ends.push(...{ fin: ["fin 1", "fin 0"], reset: ["reset 0"], close: ["reset 1"] }[ending], "close");
  }
  return { files: files.map((blocks) => Buffer.concat(blocks)), expected };
}
