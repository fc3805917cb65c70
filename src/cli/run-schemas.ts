import type { Schemas } from "../decode/protobuf/message-type.ts";
import { UsageError } from "../proxy/listen-spec.ts";
import type { RunOptions } from "./run-options.ts";

/** The schemas of `--proto`, or null. Loaded only when there is one: the parser takes its time. Rejects with a UsageError. */
export async function readSchemas({ proto, protoPath }: Pick<RunOptions, "proto" | "protoPath">): Promise<Schemas | null> {
  if (proto.length === 0) {
    if (protoPath.length > 0) throw new UsageError("-I says where imports of --proto files are: there is no --proto FILE");
    return null;
  }
  const { loadSchemas, SchemaError } = await import("../decode/protobuf/load-schemas.ts");
  return loadSchemas({ files: proto, includeDirs: protoPath }).catch((error: unknown) => {
    throw error instanceof SchemaError ? new UsageError(`--proto ${error.message}`) : error;
  });
}
