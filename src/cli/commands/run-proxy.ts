import type { Schemas } from "../../decode/protobuf/message-type.ts";
import { formatAddress, UsageError } from "../../proxy/listen-spec.ts";
import { createProxy, type Proxy as RunningProxy } from "../../proxy/proxy.ts";
import { FanOut } from "../../views/fan-out.ts";
import { EXIT } from "../exit-codes.ts";
import { ProxyOutput } from "../output/proxy-output.ts";
import type { ProxyCommandOptions } from "../proxy-options.ts";
import { onSignals } from "../stop.ts";
import { narrate, type Streams } from "../streams.ts";

/** How long open connections may go on after the first signal. */
const DRAIN_MS = 5000;

/**
 * `wiretally proxy`: listen, relay, trace; then write the tally. Resolves to the exit code.
 * Rejects with a UsageError, or with a NetworkError or RunError when nothing can be served or a result could not be written.
 */
export async function runProxy(options: ProxyCommandOptions, streams: Streams): Promise<number> {
  const schemas = await readSchemas(options);
  const output = new ProxyOutput(options, streams);
  await output.open();
  const fanOut = new FanOut(output.detail, output.messages);
  const proxy = await createProxy({
    listeners: options.listen,
    listener: output.follows ? fanOut : null,
    schemas,
    onNarration: ({ text }) => narrate(streams, text),
    ...(options.idleTimeoutMs === undefined ? {} : { idleTimeoutMs: options.idleTimeoutMs }),
    ...(options.connectTimeoutMs === undefined ? {} : { connectTimeoutMs: options.connectTimeoutMs }),
    ...(options.maxConnections === undefined ? {} : { maxConnections: options.maxConnections }),
  });
  fanOut.begin(output.listeners(proxy.tally()));
  const unwatch: (() => void)[] = [];
  const stopped = new Promise<void>((resolve) => {
    // Whatever ends it, the first to do so begins the drain, and close() is one promise for all.
    const stop = (): void => void proxy.close({ drainMs: DRAIN_MS }).finally(resolve);
    unwatch.push(
      onSignals({
        stop: () => {
          sayStopping(proxy, streams);
          stop();
        },
        abort: () => proxy.abort(),
        giveUp: () => process.exit(EXIT.failed),
      }),
      onSnapshotSignal(() => output.snapshot(() => proxy.tally()), streams),
      ...timers(options, stop, () => output.snapshot(() => proxy.tally())),
    );
    void output.readerGone.then(stop);
    if (options.count !== undefined) void proxy.whenClosed(options.count).then(stop);
  });
  sayReady(proxy, streams);
  try {
    await stopped;
    await output.finish(proxy.tally());
  } finally {
    for (const end of unwatch) end();
  }
  if (output.failed) return EXIT.failed;
  return options.strict ? strictCode(proxy, streams) : EXIT.done;
}

/** Loaded only when there is a schema: the parser takes its time. */
async function readSchemas({ proto, protoPath }: ProxyCommandOptions): Promise<Schemas | null> {
  if (proto.length === 0) {
    if (protoPath.length > 0) throw new UsageError("-I says where imports of --proto files are: there is no --proto FILE");
    return null;
  }
  const { loadSchemas, SchemaError } = await import("../../decode/protobuf/load-schemas.ts");
  return loadSchemas({ files: proto, includeDirs: protoPath }).catch((error: unknown) => {
    throw error instanceof SchemaError ? new UsageError(`--proto ${error.message}`) : error;
  });
}

function sayReady({ listeners }: RunningProxy, { stderr }: Streams): void {
  for (const { name, host, port, target } of listeners) {
    stderr.write(`listening ${name} ${formatAddress(host, port)} -> ${target}\n`);
  }
}

function sayStopping({ ledger }: RunningProxy, streams: Streams): void {
  const open = ledger.openConnections;
  if (open === 0) return;
  const some = open === 1 ? "1 open connection" : `${open} open connections`;
  narrate(streams, `stopping: ${some} may finish for ${DRAIN_MS / 1000} s (once more to stop at once)`);
}

/** SIGUSR1 writes the tally as it is now. It is always taken: left alone, it would start Node's debugger. */
function onSnapshotSignal(snapshot: () => boolean, streams: Streams): () => void {
  const asked = (): void => {
    if (!snapshot()) narrate(streams, "SIGUSR1 rewrites the tally's file: start with --json FILE");
  };
  process.on("SIGUSR1", asked);
  return () => process.off("SIGUSR1", asked);
}

/** @returns what ends the timers. */
function timers({ durationMs, intervalMs }: ProxyCommandOptions, stop: () => void, snapshot: () => void): (() => void)[] {
  const duration = durationMs === undefined ? undefined : setTimeout(stop, durationMs);
  const interval = intervalMs === undefined ? undefined : setInterval(snapshot, intervalMs);
  return [() => clearTimeout(duration), () => clearInterval(interval)];
}

function strictCode({ unattributed, broken }: RunningProxy, streams: Streams): number {
  const reasons = [
    ...(unattributed > 0 ? [`${unattributed} octets are unattributed`] : []),
    ...(broken > 0 ? [`the sums of ${broken} directions do not close`] : []),
  ];
  if (reasons.length === 0) return EXIT.done;
  narrate(streams, `--strict: ${reasons.join(", ")} (--notes tells where)`);
  return EXIT.strict;
}
