/** The `default` of a switch over a union: a new member is a compile error at each place that must know it. */
export function assertNever(value: never): never {
  throw new TypeError(`unexpected value: ${String(value)}`);
}
