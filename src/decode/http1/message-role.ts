import type { Exchange } from "../exchange.ts";
import type { UnitDetail } from "../wire-unit.ts";
import type { Framing } from "./framing.ts";
import type { HeadFacts } from "./head-facts.ts";
import type { Rule } from "./rules.ts";

/** What differs between requests and responses; MessageReader asks it at each border. */
export interface MessageRole {
  /**
   * The first octet of a start-line has come, at `offset`.
   * @param afterEmptyLine empty lines stand before it. @returns who the message belongs to.
   */
  begin(offset: number, afterEmptyLine: boolean): Exchange;
  /** Read the start-line (an octet string without its line end) at `offset`. @returns the rule it breaks when it is none. */
  startLine(line: string, offset: number): Rule | null;
  /** The unit of the head whose start-line was read last. */
  headUnit(): UnitDetail;
  /** The head's last octet has been announced. @returns what follows. */
  headEnd(facts: HeadFacts): Framing;
  /** The reader's state is what the head asked for: now others may act. Called after `over` when no body follows. */
  headDone(): void;
  /** The message is over. @param whole false when it was cut short. */
  over(whole: boolean): void;
  /** No message follows: framing is lost or the direction ended. */
  closed(): void;
}
