import { assertNever } from "http2-frame-parser";
import type { CharacterSet } from "./character-set.ts";
import { PatternError } from "./pattern-error.ts";
import type { Assertion, PatternNode } from "./pattern-syntax.ts";

/** A step of the machine; `next` and `other` are indices of steps. */
export type Step =
  | { readonly kind: "match" }
  | { readonly kind: "set"; readonly set: CharacterSet; readonly next: number }
  | { readonly kind: "assertion"; readonly assertion: Assertion; readonly next: number }
  | { readonly kind: "either"; next: number; readonly other: number };

/** Steps of one pattern; each may cost a few nanoseconds a character of the text. `a{100}` counts as 100. */
const PROGRAM_CAP = 1000;

/** Thompson's construction: the steps of a pattern, and where they begin. Throws PatternError when there are too many. */
export function programOf(pattern: PatternNode): { readonly steps: readonly Step[]; readonly start: number } {
  const steps: Step[] = [];
  let visits = 0;

  const push = (step: Step): number => steps.push(step) - 1;

  /** The steps of `node`, which lead to step `next`. @returns where they begin. */
  function compile(node: PatternNode, next: number): number {
    // Visits and not steps: an empty group has no steps, and can be repeated all the same.
    visits += 1;
    if (visits > PROGRAM_CAP)
      throw new PatternError(0, "the pattern is too large: what is repeated counts as often as it may stand");
    switch (node.kind) {
      case "set":
        return push({ kind: "set", set: node.set, next });
      case "assertion":
        return push({ kind: "assertion", assertion: node.assertion, next });
      case "sequence":
        return node.parts.reduceRight((after, part) => compile(part, after), next);
      case "choice":
        return node.parts
          .map((part) => compile(part, next))
          .reduceRight((other, first) => push({ kind: "either", next: first, other }));
      case "repeat":
        return repeat(node, next);
      default:
        return assertNever(node);
    }
  }

  function repeat({ part, least, most }: Extract<PatternNode, { kind: "repeat" }>, next: number): number {
    let entry = next;
    if (most === Number.POSITIVE_INFINITY) {
      const loop = { kind: "either" as const, next: 0, other: next };
      entry = push(loop);
      loop.next = compile(part, entry);
    } else {
      for (let copy = least; copy < most; copy++) entry = push({ kind: "either", next: compile(part, entry), other: next });
    }
    for (let copy = 0; copy < least; copy++) entry = compile(part, entry);
    return entry;
  }

  const end = push({ kind: "match" });
  const start = compile(pattern, end);
  return { steps, start };
}
