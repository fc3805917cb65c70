import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { test } from "node:test";
import { caseIds, loadCase } from "../../../test/cases.ts";
import { skipWithoutShared } from "../../../test/shared.ts";
import type { Side } from "../conversation.ts";
import { readConversations } from "./testing/read-conversations.ts";

interface ExpectedStream {
  readonly dir: "c2s" | "s2c";
  readonly octets: number;
  readonly sha256: string;
}

const skip = skipWithoutShared("cases");
const SERVER_PORT = 8080;

for (const id of skip === false ? caseIds("V-TCP") : []) {
  test(`${id}: octets, gaps and counts`, async () => {
    const { folder, expected } = loadCase(id);
    const { recorder } = await readConversations(join(folder, "capture.pcap"));
    const [conversation] = recorder.conversations;
    assert.ok(conversation !== undefined && recorder.conversations.length === 1, "one conversation");
    const { ports, counts, client } = conversation.facts;
    const server: Side = ports[0] === SERVER_PORT ? 0 : 1;
    for (const { dir, octets, sha256 } of expected.expect.streams as readonly ExpectedStream[]) {
      const got = recorder.octets(1, dir === "s2c" ? server : server === 0 ? 1 : 0);
      assert.equal(got.length, octets, `octets ${dir}`);
      assert.equal(createHash("sha256").update(got).digest("hex"), sha256, `SHA-256 ${dir}`);
    }
    assert.equal(counts[0].missing_octets + counts[1].missing_octets, expected.expect.missing_octets ?? 0, "nothing is missing");
    const { retransmitted_octets_s2c: again, wire_tcp_payload_octets_s2c: all } = expected.expect;
    if (again !== undefined) assert.equal(counts[server].retransmitted_octets, again);
    if (all !== undefined) assert.equal(counts[server].payload_octets, all);
    const late = id === "V-TCP-05";
    assert.equal(client, late ? null : server === 0 ? 1 : 0, "who the client is");
    assert.deepEqual(conversation.sides[server].gaps, late ? [null] : [], "only an unknown beginning is a gap");
  });
}

test("V-TCP-02: each conflicting copy is told with both packets", { skip }, async () => {
  const { recorder } = await readConversations(join(loadCase("V-TCP-02").folder, "capture.pcap"));
  const conflicts = recorder.conversations[0]!.notes.filter((note) => note.includes("overlap-conflict"));
  // Octets 39-58 of packet 6 and 49-78 of packet 8: the first copies are in packet 5 up to octet 58, and in packet 7 from 59 on.
  const told = conflicts.map((note) =>
    /octets (\d+)-(\d+) in packet (\d+) differ from those in packet (\d+)/.exec(note)?.slice(1),
  );
  assert.deepEqual(told, [
    ["39", "58", "6", "5"],
    ["49", "58", "8", "5"],
    ["59", "78", "8", "7"],
  ]);
});
