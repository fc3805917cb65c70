import assert from "node:assert/strict";
import { test } from "node:test";
import { C2S } from "../../decode/direction.ts";
import { ConversationWriter } from "./conversation-writer.ts";
import { PcapngWriter } from "./pcapng-writer.ts";

const SECTION = { hardware: "h", os: "Linux", application: "a", comment: "four" };

/** Blocks by file; rooms come full of what must not stay there. */
function collect() {
  const files: Uint8Array[][] = [[]];
  const reserve = (octets: number) => {
    const room = new Uint8Array(octets).fill(0xee);
    files.at(-1)?.push(room);
    return room;
  };
  return { files, output: { reserve, nextFile: () => files.push([]) } };
}

const hex = (blocks: readonly Uint8Array[] = []) => blocks.map((block) => Buffer.from(block).toString("hex"));
const spaced = (text: string) => text.replaceAll(" ", "");

// Written out by hand after the figures of draft-ietf-opsawg-pcapng §4.1, §4.2, §4.3 and §3.5.
const HEADER = spaced(
  "0a0d0d0a 44000000 4d3c2b1a 0100 0000 ffffffffffffffff" +
    "0200 0100 68000000  0300 0500 4c696e7578000000  0400 0100 61000000  0100 0400 666f7572  0000 0000 44000000",
);
const INTERFACE = spaced("01000000 28000000 6500 0000 00000400  0200 0300 77656200  0900 0100 09000000  0000 0000 28000000");

test("a section header, an interface and packets, octet by octet", () => {
  const { files, output } = collect();
  const writer = new PcapngWriter(output, SECTION);
  assert.equal(writer.interface("web", ""), 0);
  // 0x17979cfe362a0000 ns is the 14 November 2023.
  writer.packet(0, 0x17979cfe_362a0000n, 4).set([1, 2, 3, 4]);
  writer.packet(0, -1n, 5, ["é"]).set([1, 2, 3, 4, 5]);
  assert.deepEqual(hex(files[0]), [
    HEADER,
    INTERFACE,
    spaced("06000000 24000000 00000000 fe9c9717 00002a36 04000000 04000000 01020304 24000000"),
    spaced(
      "06000000 34000000 00000000 ffffffff ffffffff 05000000 05000000 0102030405000000 0100 0200 c3a90000 0000 0000 34000000",
    ),
  ]);
  assert.equal(writer.packets, 2);
});

test("texts are bounded, and cannot steer a terminal", () => {
  const { files, output } = collect();
  const writer = new PcapngWriter(output, SECTION);
  writer.packet(0, 0n, 0, ["x".repeat(100_000)]);
  writer.packet(0, 0n, 0, ["\x1b[2J\x9b\n\ud800"]);
  const [, long, odd] = files[0] ?? [];
  // 1,023 letters and an ellipsis of three octets, padded to 1,028.
  assert.equal(long?.length, 32 + 4 + 1028 + 4);
  assert.equal(Buffer.from(odd?.subarray(32, 32 + 18) ?? []).toString(), "\\x1b[2J\\x9b\\x0a\ufffd".slice(0, 18));
});

test("a file never grows over its limit, and the next one begins with all that it needs", () => {
  const { files, output } = collect();
  const limit = (HEADER.length + INTERFACE.length) / 2 + 2 * 36;
  const writer = new PcapngWriter(output, SECTION, limit);
  writer.interface("web", "");
  for (let at = 0; at < 5; at++) {
    assert.equal(writer.fits(4), at === 0 || at === 1 || at === 3, `packet ${at}`);
    writer.packet(0, 0n, 4);
  }
  assert.equal(writer.files, 3);
  assert.deepEqual(
    files.map((blocks) => hex(blocks).slice(0, 2)),
    Array(3).fill([HEADER, INTERFACE]),
  );
  assert.deepEqual(
    files.map((blocks) => blocks.length - 2),
    [2, 2, 1],
  );
});

test("only a conversation that goes on from another file says so", () => {
  const { files, output } = collect();
  // Headers take 128 octets, a handshake 92 + 76 + 72, the segment 76; a comment that it goes on takes 68 more.
  const conversations = new ConversationWriter(new PcapngWriter(output, SECTION, 380));
  conversations.listener("web", "h:1", "h:2");
  for (const id of ["c1", "c2"]) {
    conversations.open({ id, listener: "web", client: `192.0.2.1:${id.slice(1)}`, server: "192.0.2.2:80" }, 0n);
    conversations.delta(id, C2S, Buffer.from("x"), 0n);
  }
  const said = files.map((blocks) =>
    Buffer.concat(blocks)
      .toString("latin1")
      .match(/c\d(; web| goes on)/g),
  );
  assert.deepEqual(said, [["c1; web"], ["c1 goes on", "c2; web"], ["c2 goes on"], ["c2 goes on"]]);
});
