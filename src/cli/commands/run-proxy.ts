import type { Tally } from "../../ledger/tally.ts";
import { epochNs } from "../../ledger/time.ts";
import { formatAddress } from "../../proxy/listen-spec.ts";
import { createProxy, type Proxy as RunningProxy } from "../../proxy/proxy.ts";
import { EXIT } from "../exit-codes.ts";
import { RunCapture } from "../output/run-capture.ts";
import { RunOutput } from "../output/run-output.ts";
import type { ProxyCommandOptions } from "../proxy-options.ts";
import { readSchemas } from "../run-schemas.ts";
import { onSignals } from "../stop.ts";
import { narrate, type Streams } from "../streams.ts";
import { strictCode } from "../strict.ts";

/** How long open connections may go on after the first signal. */
const DRAIN_MS = 5000;

/**
 * `wiretally proxy`: listen, relay, trace; then write the tally. Resolves to the exit code.
 * Rejects with a UsageError, or with a NetworkError or RunError when nothing can be served or a result could not be written.
 */
export async function runProxy(options: ProxyCommandOptions, streams: Streams): Promise<number> {
  const schemas = await readSchemas(options);
  const output = new RunOutput(options, streams, "live");
  await output.open();
  const views = output.views();
  const capture = options.capture === null ? null : await RunCapture.open(options.capture, streams);
  const proxy = await createProxy({
    listeners: options.listen,
    listener: views.listener,
    schemas,
    capture: capture?.sink ?? null,
    onNarration: ({ text }) => narrate(streams, text),
    ...(options.idleTimeoutMs === undefined ? {} : { idleTimeoutMs: options.idleTimeoutMs }),
    ...(options.connectTimeoutMs === undefined ? {} : { connectTimeoutMs: options.connectTimeoutMs }),
    ...(options.maxConnections === undefined ? {} : { maxConnections: options.maxConnections }),
  }).catch(async (error: unknown) => {
    await capture?.discard();
    throw error;
  });
  const { started, source } = proxy.tally();
  views.begin(epochNs(started), source.listeners);
  const tally = (): Tally => views.select(proxy.tally());
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
      onSnapshotSignal(() => output.snapshot(tally), streams),
      ...timers(options, stop, () => output.snapshot(tally)),
    );
    void output.readerGone.then(stop);
    if (options.count !== undefined) void proxy.whenClosed(options.count).then(stop);
  });
  sayReady(proxy, streams);
  let recorded = true;
  try {
    await stopped;
    if (capture !== null) recorded = await capture.finish();
    await output.finish(tally());
  } finally {
    for (const end of unwatch) end();
  }
  if (output.failed || !recorded) return EXIT.failed;
  return options.strict ? strictCode(proxy, streams) : EXIT.done;
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
