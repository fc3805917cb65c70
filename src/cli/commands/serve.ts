import { formatAddress } from "../../proxy/listen-spec.ts";
import { listenFailed } from "../../proxy/network-error.ts";
import { startGrpcServer } from "../../servers/grpc-server.ts";
import { startHttp1Server } from "../../servers/http1-server.ts";
import { startHttp2Server } from "../../servers/http2-server.ts";
import type { RunningServer } from "../../servers/running-server.ts";
import { EXIT } from "../exit-codes.ts";
import { Layers, parseText, type RawValues } from "../layers.ts";
import { onSignals } from "../stop.ts";
import type { Streams } from "../streams.ts";
import { parsePort } from "../values.ts";

const SERVERS = [
  { name: "grpc", start: startGrpcServer, port: 50051, what: "item.v1.ItemService as gRPC" },
  { name: "http1", start: startHttp1Server, port: 8081, what: "POST /item as JSON over HTTP/1.1" },
  { name: "http2", start: startHttp2Server, port: 8082, what: "POST /item as JSON over HTTP/2" },
] as const;

/** `wiretally serve`: the demo servers, until a signal. Resolves to the exit code. */
export async function serveCommand(flags: RawValues, streams: Streams): Promise<number> {
  const layers = new Layers(flags, streams.env);
  const host = layers.text("host", parseText) ?? "127.0.0.1";
  const ports = SERVERS.map(({ name, port }) => layers.text(`${name}-port`, parsePort) ?? port);
  const running: RunningServer[] = [];
  // Before the first ready line: who reads it may send a signal at once.
  const { stopped, unwatch } = watchSignals();
  try {
    for (const [index, { name, start, what }] of SERVERS.entries()) {
      const port = ports[index] ?? 0;
      const server = await start({ host, port }).catch((error: unknown) => {
        throw listenFailed(formatAddress(host, port), codeOf(error));
      });
      running.push(server);
      streams.stderr.write(`listening ${name} ${formatAddress(host, server.port)} -> ${what}\n`);
    }
    await stopped;
  } finally {
    await Promise.all(running.map((server) => server.close()));
    unwatch();
  }
  return EXIT.done;
}

function watchSignals(): { readonly stopped: Promise<void>; readonly unwatch: () => void } {
  const exit = (): void => process.exit(EXIT.done);
  let unwatch = (): void => {};
  const stopped = new Promise<void>((stop) => {
    unwatch = onSignals({ stop, abort: exit, giveUp: exit });
  });
  return { stopped, unwatch };
}

/** grpc-js puts the code into its message only. */
function codeOf(error: unknown): string {
  if (error instanceof Error && "code" in error && typeof error.code === "string") return error.code;
  return /\bE[A-Z]{3,}\b/.exec(String(error))?.[0] ?? String(error instanceof Error ? error.message : error);
}
