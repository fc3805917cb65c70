import { type Contest, type ContestPlan, type Scale, verify } from "./contest.ts";
import { type ConversationName, conversation, octetsOf } from "./conversation.ts";
import { Forked } from "./forked.ts";
import type { Counted } from "./relaying-process.ts";
import { talk } from "./talk.ts";

const DIRECT = "direct connection";
const OPAQUE = "relay without decoding";
const DECODE = "relay with decoding";

/** One connection at a time from this process to a server in another, directly and through relays in processes of their own. */
export const RELAY_CONTESTS: readonly ContestPlan[] = [
  plan("bulk: HTTP/2 DATA of 16 KiB", "bulk"),
  plan("bulk: JSON over HTTP/1.1", "json"),
  plan("gRPC-like calls, 100 at once", "calls"),
];

function plan(input: string, name: ConversationName): ContestPlan {
  return { input, contenders: [DECODE, OPAQUE, DIRECT], prepare: (scale) => contest(name, scale) };
}

async function contest(name: ConversationName, { transferOctets }: Scale): Promise<Contest> {
  const turns = conversation(name, transferOctets);
  const { c2s, s2c } = octetsOf(turns);
  const octets = c2s + s2c;
  const started: Forked[] = [];
  const start = async (...call: Parameters<typeof Forked.start>): Promise<Forked> => {
    const process = await Forked.start(...call);
    started.push(process);
    return process;
  };
  const close = async (): Promise<void> => {
    await Promise.all(started.map((process) => process.end()));
  };
  try {
    const server = await start("./answering-server.ts", [name, `${transferOctets}`]);
    const relays = ["decode", "opaque"].map((mode) => start("./relaying-process.ts", [mode, `${server.port}`]));
    const [decode, opaque] = (await Promise.all(relays)) as [Forked, Forked];

    // The one has read every octet, the other none, and both have relayed them all.
    for (const relay of [decode, opaque]) {
      verify((await talk(relay.port, turns)) === octets, "everything passes the relay");
      const counted = await relay.ask<Counted>();
      verify(counted.c2s === c2s && counted.s2c === s2c && counted.broken === 0, "the relay counts every octet");
      verify(counted.faults === 0, "what passes breaks no rule");
      verify(counted.unattributed === (relay === decode ? 0 : octets), "the relay decodes all, or nothing");
    }
    const through = (what: string, reference: string | null, { port }: Forked) => ({
      what,
      reference,
      run: () => talk(port, turns),
      expected: octets,
    });
    return {
      octets,
      contenders: [through(DECODE, OPAQUE, decode), through(OPAQUE, DIRECT, opaque), through(DIRECT, null, server)],
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
