export { Ledger } from "./ledger/ledger.ts";
export type { ConnectionFacts, LedgerListener } from "./ledger/listener.ts";
export type {
  ByCategory,
  ByCause,
  CloseTally,
  ConnectionTally,
  ExchangeTally,
  FieldTally,
  H2Tally,
  Levels,
  MessageTally,
  NoteTally,
  Octets,
  PerDirection,
  RouteOctets,
  RouteTally,
  Tally,
  Window,
} from "./ledger/tally.ts";
export { formatTarget, type ListenSpec, parseListenSpec, type Target, UsageError } from "./proxy/listen-spec.ts";
export type { Narration } from "./proxy/narration.ts";
export { NetworkError } from "./proxy/network-error.ts";
export { createProxy, type Proxy, type ProxyListener, type ProxyOptions } from "./proxy/proxy.ts";
