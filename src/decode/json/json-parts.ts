import type { Base64Found } from "../base64/base64-scan.ts";
import { LEAF } from "../content/content-leaf.ts";
import type { ContentSink } from "../content/content-sink.ts";
import { JsonPaths } from "./json-paths.ts";
import { JsonTextRuns } from "./json-text-runs.ts";

/** Whose path octets of a leaf have; those of other leaves have none. */
const OF_CONTAINER: ReadonlySet<number> = new Set(
  (
    [
      "json.punctuation",
      "json.whitespace",
      "json.bom",
      "json.prefix",
      "json.key.quote",
      "json.key.text",
      "json.key.escape",
    ] as const
  ).map((leaf) => LEAF[leaf]),
);
const OF_VALUE: ReadonlySet<number> = new Set(
  (["json.number", "json.literal", "json.string.quote", "json.string.text", "json.string.escape"] as const).map(
    (leaf) => LEAF[leaf],
  ),
);

const NOTHING = new Uint8Array(0);

/** Announces octets part by part, with place and path, from what the scanner says about few octets at a time. */
export class JsonParts {
  readonly #sink: ContentSink;
  readonly #base: number;
  readonly #paths = new JsonPaths();
  readonly #runs = new JsonTextRuns();
  #level = 0;
  /** Octets announced or about to be. */
  #offset = 0;
  /** The part that may go on: `#bytes[#from, #from + #octets)`. */
  #bytes: Uint8Array = NOTHING;
  #from = 0;
  #octets = 0;
  #leaf = 0;
  #path: string | null = null;

  /** @param base id of the root's first leaf. */
  constructor(sink: ContentSink, base: number) {
    this.#sink = sink;
    this.#base = base;
  }

  /** A new body begins. */
  begin(): void {
    this.#level = 0;
    this.#offset = 0;
  }

  /** The next octets stand at `bytes[at …)`, borrowed until `flush`. */
  at(bytes: Uint8Array, at: number): void {
    this.#bytes = bytes;
    this.#from = at;
    this.#octets = 0;
  }

  /**
   * The next `octets` octets are `leaf`.
   * @param level containers that are open after them.
   * @param string the string that is open after them.
   */
  take(leaf: number, octets: number, level: number, string: "key" | "value" | null): void {
    const at = this.#from + this.#octets;
    if (level > this.#level) this.#paths.open(level);
    // Both brackets of a container have its own path.
    const inside = Math.max(level, this.#level);
    this.#level = level;
    const path = OF_CONTAINER.has(leaf) ? this.#paths.container(inside) : OF_VALUE.has(leaf) ? this.#paths.value(inside) : null;
    if (this.#octets > 0 && (leaf !== this.#leaf || path !== this.#path)) this.#announce();
    this.#leaf = leaf;
    this.#path = path;
    this.#octets += octets;
    if (leaf === LEAF["json.key.quote"]) {
      if (string === "key") this.#paths.beginKey();
      else this.#paths.endKey(level);
    } else if (leaf === LEAF["json.key.text"] || leaf === LEAF["json.key.escape"])
      this.#paths.pushKey(this.#bytes, at, at + octets);
    else if (leaf === LEAF["json.string.quote"] && string === "value") this.#runs.begin();
    else if (leaf === LEAF["json.string.text"]) this.#runs.add(this.#offset, octets);
    this.#offset += octets;
  }

  /** The string that the last octet closed is base64. */
  base64(found: Base64Found): void {
    this.#announce();
    const text = this.#base + LEAF["json.string.text"];
    const data = this.#base + LEAF["json.base64.data"];
    const inflation = this.#base + LEAF["json.base64.inflation"];
    this.#runs.split(found, this.#offset - 1, (isData, offset, octets) => {
      this.#sink.moved(text, isData ? data : inflation, octets, this.#offset - offset - octets);
    });
  }

  /** Announce everything that has been taken. */
  flush(): void {
    this.#announce();
  }

  /** Let the octets go that `at` lent. */
  release(): void {
    this.#bytes = NOTHING;
  }

  #announce(): void {
    if (this.#octets > 0) this.#sink.content(this.#base + this.#leaf, this.#octets, this.#bytes, this.#from, this.#path);
    this.#from += this.#octets;
    this.#octets = 0;
  }
}
