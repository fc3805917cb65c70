import type { DirectionName } from "../../decode/direction.ts";
import type { Protocol } from "../../decode/exchange.ts";
import type { ConnectionFacts } from "../../ledger/listener.ts";
import type { HeaderTest } from "./header-test.ts";

/** A frame type or TLS content type: `DATA`, `handshake`, `0x42`. */
export interface TypeValue {
  readonly name: string;
  readonly code: number;
}

/** What a filter looks at, by its names; null: the item has no such value, and every comparison with it is false. */
export class Item {
  readonly #connection: ConnectionFacts;

  constructor(connection: ConnectionFacts) {
    this.#connection = connection;
  }

  get conn(): string {
    return this.#connection.id;
  }
  get listener(): string {
    return this.#connection.listener;
  }
  get dir(): DirectionName | null {
    return null;
  }
  get protocol(): Protocol | null {
    return null;
  }
  get stream(): number | null {
    return null;
  }
  get type(): TypeValue | null {
    return null;
  }
  get flags(): number | null {
    return null;
  }
  get octets(): number | null {
    return null;
  }
  get method(): string | null {
    return null;
  }
  get authority(): string | null {
    return null;
  }
  get path(): string | null {
    return null;
  }
  get route(): string | null {
    return null;
  }
  get status(): number | null {
    return null;
  }
  get grpc_status(): number | null {
    return null;
  }
  get duration_us(): number | null {
    return null;
  }
  get note(): string | null {
    return null;
  }

  /** What the item's field lines came to, see {@link HeaderTest}. */
  header(_test: HeaderTest): number {
    return 0;
  }
}
