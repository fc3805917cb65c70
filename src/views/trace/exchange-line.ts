import type { ExchangeTally } from "../../ledger/tally.ts";
import { padTo } from "../columns.ts";
import { escapeText } from "../escape.ts";
import { grpcStatusName } from "../grpc-status.ts";
import type { TextRedactor } from "../redact-text.ts";
import type { Theme } from "../theme.ts";

const ID_CELLS = 8;
const PROTOCOL_CELLS = 6;
const REQUEST_CELLS = 32;
const STATUS_CELLS = 12;
const OCTETS_CELLS = 7;
const DURATION_CELLS = 11;

/** One aligned line for a finished exchange: id, protocol, request, status, octets each way, duration. */
export function exchangeLine(exchange: ExchangeTally, redactor: TextRedactor, theme: Theme): string {
  const octets = (count: number): string => theme.octets(String(count).padStart(OCTETS_CELLS));
  return [
    theme.id(padTo(exchange.id, ID_CELLS)),
    padTo(exchange.protocol, PROTOCOL_CELLS),
    padTo(requestText(exchange, redactor), REQUEST_CELLS),
    paintStatus(exchange, theme)(padTo(statusText(exchange), STATUS_CELLS)),
    `${theme.c2s("c2s")}${octets(exchange.c2s.octets)}`,
    `${theme.s2c("s2c")}${octets(exchange.s2c.octets)}`,
    theme.dim(durationText(exchange.duration_us).padStart(DURATION_CELLS)),
  ].join("  ");
}

function requestText({ method, path }: ExchangeTally, redactor: TextRedactor): string {
  if (method === null && path === null) return "(no request)";
  const target = path === null ? "(unknown path)" : escapeText(redactor.target(path));
  return `${method === null ? "(unknown method)" : escapeText(redactor.method(method))} ${target}`;
}

/** `200`, `200 grpc OK`; `-` where no response came; `incomplete` when a side never ended. */
function statusText({ status, grpc_status, complete }: ExchangeTally): string {
  const words = [status === null ? "-" : String(status)];
  if (grpc_status !== null) words.push(`grpc ${grpcStatusName(grpc_status)}`);
  if (!complete) words.push("incomplete");
  return words.join(" ");
}

function paintStatus({ status, grpc_status, complete }: ExchangeTally, theme: Theme): (text: string) => string {
  if (!complete || (grpc_status ?? 0) !== 0 || (status ?? 200) >= 500) return theme.bad;
  return (status ?? 200) >= 400 ? theme.warning : theme.good;
}

function durationText(microseconds: number | null): string {
  return microseconds === null ? "-" : `${(microseconds / 1000).toFixed(3)} ms`;
}
