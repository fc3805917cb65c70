import { UsageError } from "../proxy/listen-spec.ts";
import { didYouMean } from "./suggest.ts";

/** Longest wait that a Node timer takes. */
const MAX_MS = 2 ** 31 - 1;
const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, "": 1000 };

/** A span of time as people write it: `5s`, `500ms`, `2m`, `1h`; a plain number is seconds. @returns whole milliseconds, at least 1. */
export function parseDuration(option: string, text: string): number {
  const parts = /^(\d+(?:\.\d+)?)\s*(ms|s|m|h|)$/.exec(text.trim());
  const ms = parts === null ? Number.NaN : Math.round(Number(parts[1]) * (UNIT_MS[parts[2] ?? ""] ?? Number.NaN));
  if (ms >= 1 && ms <= MAX_MS) return ms;
  const what = Number.isNaN(ms) ? "is not a duration" : "is not between 1ms and 24 days";
  throw new UsageError(`${option}: ${JSON.stringify(text)} ${what} (try 30s, 500ms or 2m)`);
}

const UNIT_OCTETS: Readonly<Record<string, number>> = { "": 1, K: 2 ** 10, M: 2 ** 20, G: 2 ** 30, T: 2 ** 40 };

/** A size as people write it: `64K`, `100M`, `1.5G`, `2 GiB`, in powers of 1024; a plain number is octets. @returns whole octets, at least 1. */
export function parseSize(option: string, text: string): number {
  const parts = /^(\d+(?:\.\d+)?)\s*([KMGT]?)(?:i?B)?$/i.exec(text.trim());
  const octets =
    parts === null ? Number.NaN : Math.round(Number(parts[1]) * (UNIT_OCTETS[(parts[2] ?? "").toUpperCase()] ?? Number.NaN));
  if (octets >= 1 && Number.isSafeInteger(octets)) return octets;
  throw new UsageError(`${option}: ${JSON.stringify(text)} is not a size (try 100M, 64K or 1G)`);
}

/** A whole number of at least 1. */
export function parseCount(option: string, text: string): number {
  const count = /^\d+$/.test(text.trim()) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(count) && count >= 1) return count;
  throw new UsageError(`${option}: ${JSON.stringify(text)} is not a whole number ≥ 1`);
}

/** A TCP port; 0 lets the system pick one. */
export function parsePort(option: string, text: string): number {
  const port = /^\d+$/.test(text.trim()) ? Number(text) : Number.NaN;
  if (port <= 65535) return port;
  throw new UsageError(`${option}: ${JSON.stringify(text)} is not a port (0 to 65535)`);
}

/** One of a few words. */
export function parseChoice<T extends string>(option: string, text: string, choices: readonly T[]): T {
  const found = choices.find((choice) => choice === text);
  if (found !== undefined) return found;
  const hint = didYouMean(text, choices);
  throw new UsageError(`${option}: ${JSON.stringify(text)} is not one of ${choices.join(", ")}${hint}`);
}

/** Yes or no from an environment variable or a file. */
export function parseSwitch(option: string, text: string): boolean {
  if (["1", "true", "yes", "on"].includes(text.toLowerCase())) return true;
  if (["0", "false", "no", "off", ""].includes(text.toLowerCase())) return false;
  throw new UsageError(`${option}: ${JSON.stringify(text)} is neither true nor false`);
}
