import { FILTER_NAMES } from "../views/filter/names.ts";
import type { CommandName } from "./commands.ts";

const EXIT_CODES =
  "Exit codes: 0 done (SIGINT, SIGTERM and SIGHUP included), 1 failed while running, 2 bad usage, 4 --strict failed; if several apply: 2, then 1, then 4.";
const BOUNDS =
  "Memory is bounded: 1 MiB of one field block is decoded, 256 KiB of its fields shown; the newest 10,000 exchanges and 10,000 closed connections are listed, 1,000 messages an exchange, 1,000 routes, field names and notes. What goes beyond is counted all the same and says so.";
const FILTER = `-Y compares ${FILTER_NAMES.map(({ name }) => name).join(", ")} and header("x") with a "text" or a number, by == != < > <= >= ~ (regular expression) and contains, joined by && || ! and parentheses. Trace, events and listed exchanges follow it; sums never do.`;
const SIZES = "SIZE: 64K, 100M, 1G, in powers of 1024; a plain number is octets.";
const TRACE_OPTIONS = "-q, -v and --trace contradict each other: give one of them.";

/** What holds for `proxy`: its own page and the first one say it. */
const PROXY_NOTES = [
  EXIT_CODES,
  `Every option is also an environment variable (--idle-timeout: WIRETALLY_IDLE_TIMEOUT) and a key of --config FILE, where "redact" adds names of secret fields. TIME: 30s, 500ms, 2m; a plain number is seconds. ${SIZES} ${TRACE_OPTIONS}`,
  FILTER,
  "At the end (a signal, --duration, -c) no connection is accepted any more and open ones may finish for up to 5 s; a second signal ends them at once. The results are written either way.",
  "-w holds every octet that passed, secrets included, as TCP conversations whose handshakes, headers and acknowledgements are made up. An existing file is written over; numbered ones never are. It is flushed every 200 ms, so that little is lost with the process. When the disk is full, or 64 MiB behind the traffic, the capture stops with a line on stderr and exit code 1 at the end; the relay goes on.",
  `${BOUNDS} A trace reader too slow by 16 MiB misses lines, never the tally.`,
];

const READ_NOTES = [
  EXIT_CODES,
  `Every option is also an environment variable (--decode-as: WIRETALLY_DECODE_AS) and a key of --config FILE, where "redact" adds names of secret fields. WHEN: 90s, 500ms or 2m after the first packet, or a time such as 2026-11-30T22:00:00.5Z; both ends are included. ${SIZES} ${TRACE_OPTIONS}`,
  FILTER,
  "Damaged and cut captures are read as far as they go, with a line on stderr. Of several captures, one that cannot be read at all is left out, and the exit code is 1. A signal ends the reading; what was read until then is counted and written.",
  "-w writes the conversations that were read, of those with -Y that have anything that matches, as pcapng: octets and times as they were, secrets included; packets are made anew. Holes stay holes. --follow extracts octets as they were sent, without HTTP's framing, and nothing is redacted; c1.s3 alone is the response's.",
  BOUNDS,
];

const OTHER_NOTES = ["Exit codes: 0 done, 1 failed while running, 2 bad usage."];

/** What a page of help says below its examples, a paragraph each. @param name undefined: the first page. */
export function helpNotes(name: CommandName | undefined): readonly string[] {
  if (name === "read") return READ_NOTES;
  return name === "proxy" || name === undefined ? PROXY_NOTES : OTHER_NOTES;
}
