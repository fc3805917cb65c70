import { createProxy } from "../../src/index.ts";

/** What the parent is told: first `listening`, then one `state` for each message it sends, and every narration. */
export type RelayMessage =
  | { readonly kind: "listening"; readonly port: number }
  | {
      readonly kind: "state";
      readonly rss: number;
      readonly c2s: number;
      readonly s2c: number;
      readonly closed: number;
      readonly broken: number;
    }
  | { readonly kind: "narration"; readonly name: string };

const tell = (message: RelayMessage) => process.send?.(message);

const target = process.argv[2] ?? "";
const proxy = await createProxy({
  listeners: [`0:${target}`],
  onNarration: ({ kind }) => tell({ kind: "narration", name: kind }),
});
process.on("message", () => {
  const { c2s, s2c } = proxy.tally().totals;
  tell({
    kind: "state",
    rss: process.memoryUsage.rss(),
    c2s: c2s.octets,
    s2c: s2c.octets,
    closed: proxy.closedConnections,
    broken: proxy.broken,
  });
});
process.on("disconnect", () => process.exit());
tell({ kind: "listening", port: proxy.listeners[0]?.port ?? 0 });
