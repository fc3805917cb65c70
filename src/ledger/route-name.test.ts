import assert from "node:assert/strict";
import { test } from "node:test";
import type { Protocol } from "../decode/exchange.ts";
import { routeName } from "./route-name.ts";

const TABLE: readonly (readonly [protocol: Protocol, method: string | null, path: string | null, route: string])[] = [
  ["grpc", "POST", "/item.v1.ItemService/Echo", "/item.v1.ItemService/Echo"],
  ["grpc", "POST", null, "(unknown)"],
  ["http1", "GET", "/items", "GET /items"],
  ["h2", "POST", "/items?tag=1#top", "POST /items"],
  ["http1", "GET", "/items/42", "GET /items/{id}"],
  ["http1", "GET", "/items/42/parts/7/", "GET /items/{id}/parts/{id}/"],
  ["http1", "GET", "/v2/x42", "GET /v2/x42"],
  ["http1", "GET", "/u/123e4567-e89b-12d3-a456-426614174000", "GET /u/{id}"],
  ["http1", "GET", "/u/123E4567-E89B-12D3-A456-426614174000", "GET /u/{id}"],
  ["http1", "GET", "/u/123e4567-e89b-12d3-a456-42661417400", "GET /u/123e4567-e89b-12d3-a456-42661417400"],
  ["http1", "GET", "/h/0123456789abcdef", "GET /h/{id}"],
  ["http1", "GET", "/h/0123456789abcde", "GET /h/0123456789abcde"],
  ["http1", "GET", "/h/0123456789abcdeg", "GET /h/0123456789abcdeg"],
  ["http1", "GET", "http://example.com/a/1?b", "GET /a/{id}"],
  ["http1", "GET", "http://example.com", "GET /"],
  ["http1", "GET", "http://example.com?x=/y", "GET /"],
  ["http1", "GET", "/redirect?to=http://example.com/a", "GET /redirect"],
  ["http1", "OPTIONS", "*", "OPTIONS *"],
  ["http1", "CONNECT", "example.com:443", "CONNECT example.com:443"],
  ["h2", "CONNECT", null, "CONNECT (unknown)"],
  ["http1", null, null, "(unknown)"],
  ["http1", "GET", "?q", "GET /"],
  ["http1", "CONNECT", "user:pw@a:443", "CONNECT a:443"],
  ["http1", "CONNECT", "user:p/w?x@a:443", "CONNECT a:443"],
  ["http1", "CONNECT", "http://user:pw@a/x?token=1", "CONNECT /x"],
  ["h2", "CONNECT", "/chat/@me?token=a@b", "CONNECT /chat/@me"],
  ["http1", "GET", "user:pw@a/x", "GET a/x"],
  ["http1", "GET", "http://user:pw@a/@me/7", "GET /@me/{id}"],
  ["grpc", "POST", "/item.v1.ItemService/Echo?token=1", "/item.v1.ItemService/Echo"],
  ["grpc", "POST", "http://user:pw@a/item.v1.ItemService/Echo", "/item.v1.ItemService/Echo"],
];

for (const [protocol, method, path, route] of TABLE) {
  test(`${protocol} ${method} ${path} is ${route}`, () => {
    assert.equal(routeName({ protocol, method, path }), route);
  });
}
