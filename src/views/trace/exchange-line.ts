import type { ExchangeTally } from "../../ledger/tally.ts";
import { cells, padTo } from "../columns.ts";
import { cutMiddle } from "../cut-middle.ts";
import { escapeText } from "../escape.ts";
import { grpcStatusName } from "../grpc-status.ts";
import type { TextRedactor } from "../redact-text.ts";
import type { Theme } from "../theme.ts";

// With `--time rel` a line takes 120 cells.
const ID_CELLS = 9;
const PROTOCOL_CELLS = 6;
const REQUEST_CELLS = 34;
/** Request and status together, with the two cells between them. */
const CALL_CELLS = 54;
const LEAST_REQUEST_CELLS = 12;
const OCTETS_CELLS = 7;
const DURATION_CELLS = 11;

/**
 * One aligned line for a finished exchange: id, protocol, request, status, octets each way, duration. A long request moves its status
 * to the right, and is cut in its middle before it would move the octets: the tally has all of it.
 */
export function exchangeLine(exchange: ExchangeTally, redactor: TextRedactor, theme: Theme): string {
  const octets = (count: number): string => theme.octets(` ${count}`.padStart(OCTETS_CELLS));
  return [
    theme.id(padTo(exchange.id, ID_CELLS)),
    padTo(exchange.protocol, PROTOCOL_CELLS),
    padTo(callText(exchange, redactor, theme), CALL_CELLS),
    `${theme.c2s("c2s")}${octets(exchange.c2s.octets)}`,
    `${theme.s2c("s2c")}${octets(exchange.s2c.octets)}`,
    theme.dim(durationText(exchange.duration_us).padStart(DURATION_CELLS)),
  ].join("  ");
}

function callText(exchange: ExchangeTally, redactor: TextRedactor, theme: Theme): string {
  const status = statusText(exchange);
  const room = Math.max(CALL_CELLS - 2 - cells(status), LEAST_REQUEST_CELLS);
  const request = cutMiddle(requestText(exchange, redactor), room);
  return `${padTo(request, Math.min(REQUEST_CELLS, room))}  ${paintStatus(exchange, theme)(status)}`;
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
