import { createProxy } from "../../src/index.ts";

/** What the parent is told: first `listening`, then one `state` for each message it sends, and every narration. */
export type RelayMessage =
  | { readonly kind: "listening"; readonly port: number }
  | {
      readonly kind: "state";
      readonly rss: number;
      /** Octets of live objects, after a collection. */
      readonly heap: number;
      readonly c2s: number;
      readonly s2c: number;
      /** Exchanges of all routes, listed or not. */
      readonly calls: number;
      readonly closed: number;
      readonly broken: number;
    }
  | { readonly kind: "narration"; readonly name: string };

const tell = (message: RelayMessage) => process.send?.(message);

const [, , target = "", clientReads] = process.argv;
const proxy = await createProxy(
  {
    listeners: [`0:${target}`],
    onNarration: ({ kind }) => tell({ kind: "narration", name: kind }),
  },
  clientReads === "buffers" || clientReads === "streams" ? { clientReads } : {},
);
process.on("message", () => {
  const { totals, routes } = proxy.tally();
  globalThis.gc?.();
  tell({
    kind: "state",
    rss: process.memoryUsage.rss(),
    heap: process.memoryUsage().heapUsed,
    c2s: totals.c2s.octets,
    s2c: totals.s2c.octets,
    calls: routes.reduce((sum, route) => sum + route.calls, 0),
    closed: proxy.closedConnections,
    broken: proxy.broken,
  });
});
process.on("disconnect", () => process.exit());
tell({ kind: "listening", port: proxy.listeners[0]?.port ?? 0 });
