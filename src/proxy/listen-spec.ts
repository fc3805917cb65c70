import { isIPv4, isIPv6 } from "node:net";

/** Where octets go on to. */
export type Target =
  | { readonly kind: "tcp"; readonly host: string; readonly port: number }
  | { readonly kind: "unix"; readonly path: string };

/** One listener as asked for with `-L [name=][host:]port:TARGET`. */
export interface ListenSpec {
  /** null: `createProxy` names it `l1`, `l2`, … by its place in the list. */
  readonly name: string | null;
  /** Without brackets. */
  readonly host: string;
  /** 0: the system picks one. */
  readonly port: number;
  readonly target: Target;
}

/** Something was asked for in a form that cannot be served: the message says in one line what was wrong and what to try. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

const DEFAULT_HOST = "127.0.0.1";
const MAX_PORT = 65535;
const NAME = /^([^=:/[\]]*)=(.*)$/s;
const LEGAL_NAME = /^[\w.-]+$/;
// The host is optional and tried last, so that `8080:localhost:9090` is a port and a target.
const LISTEN = /^(?:(\[[^\]]*\]|[^:[\]/]*):)??(\d+):(.+)$/s;
const HOST_PORT = /^(\[[^\]]+\]|[^:[\]/]+):(\d+)$/;
const HOST_NAME = /^[\w-]+(\.[\w-]+)*\.?$/;
const SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i;
const FORM = "[name=][host:]port:TARGET";
const EXAMPLE = "try for example -L 8080:127.0.0.1:9090, -L web=8080:[::1]:9090 or -L 8080:/run/app.sock";

/**
 * Read one `-L` value: `[name=][host:]port:TARGET` with TARGET = `host:port`, `[v6]:port` or `/path.sock`.
 * @returns the listener, or a UsageError: nothing is thrown.
 *
 *     parseListenSpec("api=0:localhost:50051");
 *     // { name: "api", host: "127.0.0.1", port: 0, target: { kind: "tcp", host: "localhost", port: 50051 } }
 */
export function parseListenSpec(text: string): ListenSpec | UsageError {
  const wrong = (what: string, hint = EXAMPLE) => new UsageError(`listener ${JSON.stringify(text)}: ${what} (${hint})`);
  const named = NAME.exec(text);
  const name = named?.[1] ?? null;
  if (name !== null && !LEGAL_NAME.test(name)) return wrong("the name may have letters, digits, '.', '_' and '-'");
  const rest = named?.[2] ?? text;
  const parts = LISTEN.exec(rest);
  if (parts === null) return wrong(formFault(rest));
  const [, hostText, portText = "", targetText = ""] = parts;
  if (hostText === "" || hostText === "*" || hostText === "[]") {
    return wrong("no address to listen on", "use 0.0.0.0 or [::] for all, leave the host and its colon out for 127.0.0.1");
  }
  const hostProblem = hostText === undefined ? null : hostFault(hostText);
  if (hostProblem !== null) return wrong(hostProblem);
  const port = Number(portText);
  if (port > MAX_PORT) return wrong(`port ${portText} is above ${MAX_PORT}`);
  const target = parseTarget(targetText);
  if (typeof target === "string") return wrong(target);
  const host = hostText === undefined ? DEFAULT_HOST : withoutBrackets(hostText);
  if (target.kind === "tcp" && target.port === port && sameHost(target.host, host)) {
    return wrong("the listener would be its own target", "give the target's own port");
  }
  return { name, host, port, target };
}

/** A target as people write it: `host:port`, `[v6]:port` or the path. */
export function formatTarget(target: Target): string {
  return target.kind === "unix" ? target.path : formatAddress(target.host, target.port);
}

/** `host:port`, with brackets around an IPv6 address. */
export function formatAddress(host: string, port: number): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}

/** Why a text without its name is not `[host:]port:TARGET`. */
function formFault(text: string): string {
  if (SCHEME.test(text)) return "a listener begins with a port, not a scheme";
  if (/^[^:/[]*=/.test(text)) return "more than one name before the port";
  if (/\s/.test(text)) return `whitespace: not ${FORM}`;
  const pieces = text.match(/\[[^\]]*\]|[^:[\]]+|(?<=:|^)(?=:)/g) ?? [];
  // `[host:]port` and a target without its port, or no target at all.
  if (pieces.length <= 2) return /^\d*$/.test(pieces[1] ?? "") ? "no target" : portFault(pieces[0]);
  if (pieces.length > 4) return `not ${FORM}; an IPv6 address needs brackets`;
  return portFault(pieces[pieces.length - 3]);
}

function portFault(text = ""): string {
  return `port ${JSON.stringify(text)} is not a number`;
}

/** The target, or what is wrong with it. */
function parseTarget(text: string): Target | string {
  if (text.startsWith("/")) return { kind: "unix", path: text };
  const wrong = (what: string): string => `target ${JSON.stringify(text)}${what}`;
  const scheme = SCHEME.exec(text);
  if (scheme !== null) return wrong(`: no scheme: write ${withPort(text.slice(scheme[0].length), scheme[0])}`);
  const parts = HOST_PORT.exec(text);
  if (parts === null) {
    if (/:.*:/.test(text) && !text.startsWith("[")) return wrong(" is not host:port; an IPv6 address needs brackets");
    return wrong(" is not host:port, [v6]:port or /path.sock");
  }
  const [, host = "", portText = ""] = parts;
  const hostProblem = hostFault(host);
  if (hostProblem !== null) return wrong(`: ${hostProblem}`);
  const port = Number(portText);
  if (port === 0 || port > MAX_PORT) return `target port ${portText} is not in 1-${MAX_PORT}`;
  return { kind: "tcp", host: withoutBrackets(host), port };
}

/** The `host:port` that a URL without its scheme means. */
function withPort(rest: string, scheme: string): string {
  const authority = rest.split(/[/?#]/)[0]?.split("@").at(-1) ?? "";
  return /:\d+$/.test(authority) ? authority : `${authority}:${/^(https|wss)/i.test(scheme) ? 443 : 80}`;
}

/** What is wrong with a host name, an IPv4 address or an IPv6 address in brackets; null: nothing. */
function hostFault(host: string): string | null {
  const quoted = JSON.stringify(host);
  if (host.startsWith("[")) return isIPv6(withoutBrackets(host)) ? null : `${quoted} is not an IPv6 address`;
  if (/^[\d.]+$/.test(host)) return isIPv4(host) ? null : `${quoted} is not an IPv4 address`;
  return HOST_NAME.test(host) ? null : `${quoted} is not a host name or an address`;
}

function withoutBrackets(host: string): string {
  return host.startsWith("[") ? host.slice(1, -1) : host;
}

function sameHost(a: string, b: string): boolean {
  return a === b || (a === "localhost" && (b === "127.0.0.1" || b === "::1"));
}
