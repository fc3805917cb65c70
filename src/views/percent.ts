/** Undo percent-encoding of an octet string; a `%` that two hexadecimal digits do not follow stays as it is. Never throws. */
export function decodePercent(octets: string): string {
  return octets.replace(/%([0-9A-Fa-f]{2})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
}

/**
 * The Status-Message that a grpc-message field means (gRPC over HTTP2, "Percent-Encoded"). Broken escapes stay, octets that are not
 * UTF-8 become U+FFFD: a client must not fail on them, nor must a trace.
 * @param octets the field's value, an octet string.
 */
export function grpcMessageText(octets: string): string {
  return Buffer.from(decodePercent(octets), "latin1").toString("utf8");
}
