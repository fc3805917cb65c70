import type { Exchange } from "../decode/exchange.ts";

/** What a route is called where a part of it cannot be known. */
const UNKNOWN = "(unknown)";

const IDENTIFIER = /^(?:[0-9]+|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{16,})$/i;
/** RFC 9112 §3.2.2: absolute-form. The authority runs to the first slash, question mark or number sign (RFC 3986 §3.2). */
const ABSOLUTE_FORM = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i;

/**
 * The route of a request: gRPC by its full method (`/item.v1.ItemService/Echo`), HTTP by `METHOD /path` without query and fragment,
 * with segments of only digits, UUIDs and ≥ 16 hex digits as `{id}`. An absolute-form target counts by its path. An octet string.
 */
export function routeName({ protocol, method, path }: Pick<Exchange, "protocol" | "method" | "path">): string {
  if (protocol === "grpc") return path ?? UNKNOWN;
  if (method === null && path === null) return UNKNOWN;
  return `${method ?? UNKNOWN} ${path === null ? UNKNOWN : pathOf(path)}`;
}

function pathOf(target: string): string {
  const withQuery = target.replace(ABSOLUTE_FORM, "");
  const end = withQuery.search(/[?#]/);
  const path = end < 0 ? withQuery : withQuery.slice(0, end);
  if (path === "") return "/";
  return path
    .split("/")
    .map((segment) => (IDENTIFIER.test(segment) ? "{id}" : segment))
    .join("/");
}
