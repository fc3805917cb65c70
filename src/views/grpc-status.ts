/** gRPC status codes, in their order: the code is the position ("Status codes and their use in gRPC"). */
const GRPC_STATUSES = [
  "OK",
  "CANCELLED",
  "UNKNOWN",
  "INVALID_ARGUMENT",
  "DEADLINE_EXCEEDED",
  "NOT_FOUND",
  "ALREADY_EXISTS",
  "PERMISSION_DENIED",
  "RESOURCE_EXHAUSTED",
  "FAILED_PRECONDITION",
  "ABORTED",
  "OUT_OF_RANGE",
  "UNIMPLEMENTED",
  "INTERNAL",
  "UNAVAILABLE",
  "DATA_LOSS",
  "UNAUTHENTICATED",
] as const;

/** Name of a grpc-status, or the number itself. */
export function grpcStatusName(status: number): string {
  return GRPC_STATUSES[status] ?? String(status);
}
