import type { Exchange } from "../decode/exchange.ts";

/** What a route is called where a part of it cannot be known. */
const UNKNOWN = "(unknown)";

const IDENTIFIER = /^(?:[0-9]+|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{16,})$/i;
/** RFC 9112 §3.2.2: absolute-form. The authority runs to the first slash, question mark or number sign (RFC 3986 §3.2). */
const ABSOLUTE_FORM = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i;

/**
 * The route of a request: gRPC by its full method (`/item.v1.ItemService/Echo`), HTTP by `METHOD /path` without query and fragment,
 * with segments of only digits, UUIDs and ≥ 16 hex digits as `{id}`. An absolute-form target counts by its path, an authority-form
 * one by host and port: userinfo is in no route. An octet string.
 */
export function routeName({ protocol, method, path }: Pick<Exchange, "protocol" | "method" | "path">): string {
  if (protocol === "grpc") return path === null ? UNKNOWN : pathOf(path);
  if (method === null && path === null) return UNKNOWN;
  return `${method ?? UNKNOWN} ${path === null ? UNKNOWN : withIdentifiers(pathOf(path))}`;
}

/** The target's path, or its host and port where it has none. */
function pathOf(target: string): string {
  const absolute = target.replace(ABSOLUTE_FORM, "");
  const isAuthority = absolute === target && /^[^/?#]/.test(target);
  // Userinfo of an authority-form may hold what ends an authority elsewhere: it runs to the last sign that can end it.
  return upToQuery(isAuthority ? target.slice(target.lastIndexOf("@") + 1) : absolute) || "/";
}

function upToQuery(target: string): string {
  const end = target.search(/[?#]/);
  return end < 0 ? target : target.slice(0, end);
}

function withIdentifiers(path: string): string {
  return path
    .split("/")
    .map((segment) => (IDENTIFIER.test(segment) ? "{id}" : segment))
    .join("/");
}
