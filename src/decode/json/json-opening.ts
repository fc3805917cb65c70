/** What an octet at the very start of a body is. */
export const OPENING = {
  /** No part of an opening: JSON itself begins here, if anything. */
  over: 0,
  bom: 1,
  /** The last octet of a byte order mark. */
  bomEnd: 2,
  prefix: 3,
  /** The octet with which a guard is complete. */
  prefixEnd: 4,
  /** The `f` of `for` or of `false`: `over` or `prefix` comes next, and tells. */
  eitherWay: 5,
  /** What began as a byte order mark or guard does not go on as one. */
  broken: 6,
} as const;

/** UTF-8 byte order mark, as an octet string. */
const BOM = "\u00ef\u00bb\u00bf";
const BRACKET_GUARD = ")]}'";
/** Guards against script inclusion (XSSI): a script made of such a response throws, loops for ever, or is no script. */
const GUARDS = [BRACKET_GUARD, "for(;;);", "for (;;);", "while(1);", "while (1);"];
const FIRST_OCTETS = new Set([BOM, ...GUARDS].map((unit) => unit.charCodeAt(0)));
const FIRST_OF_FALSE = "f";

/** Recognises a byte order mark and then a guard, octet by octet. Behind `)]}'` a comma and a line end are part of the guard. */
export class JsonOpening {
  /** What has come of the unit that is open. */
  #open = "";
  #bomSeen = false;
  #guardSeen = false;
  /** What may follow the complete guard. */
  #ending = "";

  /** A new body begins. */
  begin(): void {
    this.#open = "";
    this.#bomSeen = false;
    this.#guardSeen = false;
    this.#ending = "";
  }

  /** Octets of a byte order mark or guard that is not complete; an `f` may be `false`, too, and does not count. */
  get unfinished(): number {
    return this.#open === FIRST_OF_FALSE ? 0 : this.#open.length;
  }

  /** The unfinished octets are those of a byte order mark. */
  get inBom(): boolean {
    return this.#open.startsWith(BOM.slice(0, 1));
  }

  /** The next octet; returns a value of OPENING. After `over` and `broken` it is not asked again. */
  take(octet: number): number {
    if (this.#guardSeen) return this.#takeEnding(octet);
    if (this.#open === "" && !FIRST_OCTETS.has(octet)) return OPENING.over;
    const text = this.#open + String.fromCharCode(octet);
    if (!this.#bomSeen && BOM.startsWith(text)) {
      this.#bomSeen = text === BOM;
      this.#open = this.#bomSeen ? "" : text;
      return this.#bomSeen ? OPENING.bomEnd : OPENING.bom;
    }
    const guard = GUARDS.find((candidate) => candidate.startsWith(text));
    if (guard === undefined) return this.unfinished === 0 ? OPENING.over : OPENING.broken;
    this.#open = guard === text ? "" : text;
    if (text === FIRST_OF_FALSE) return OPENING.eitherWay;
    if (guard !== text) return OPENING.prefix;
    this.#guardSeen = true;
    this.#ending = guard === BRACKET_GUARD ? ",\r\n" : "";
    return OPENING.prefixEnd;
  }

  #takeEnding(octet: number): number {
    const at = this.#ending.indexOf(String.fromCharCode(octet));
    this.#ending = at < 0 ? "" : this.#ending.slice(at + 1);
    return at < 0 ? OPENING.over : OPENING.prefix;
  }
}
