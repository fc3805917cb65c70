/** Octets `[start, end)` counted from the first octet of one octet space. */
export interface Span {
  readonly start: number;
  readonly end: number;
}
