/** What the relay has to tell a person while it runs. `text` is one line without a line end. */
export type Narration =
  /** The target of one connection could not be reached: the client's connection was reset, the proxy goes on. */
  | {
      readonly kind: "upstream-failed";
      readonly connection: string;
      readonly listener: string;
      readonly target: string;
      /** errno or resolver code: ECONNREFUSED, ENOTFOUND, ETIMEDOUT … */
      readonly code: string;
      readonly text: string;
    }
  /** No descriptors are left: nothing is accepted until a connection closes. Said once for a shortage. */
  | { readonly kind: "accept-paused"; readonly code: string; readonly text: string }
  /** Accepting again after a shortage that was told. */
  | { readonly kind: "accept-resumed"; readonly text: string }
  /** The limit of open connections is reached: later ones wait. Said once for a busy time. */
  | { readonly kind: "connections-waiting"; readonly text: string }
  /** A listener's address could not be taken again after a shortage: it is tried again every second. */
  | { readonly kind: "listen-failed"; readonly listener: string; readonly code: string; readonly text: string };
