import assert from "node:assert/strict";
import { test } from "node:test";
import { formatEndpoint } from "./address.ts";
import { Endpoints } from "./endpoints.ts";

const ends = (pair: ReturnType<Endpoints["take"]>) => [formatEndpoint(pair.client), formatEndpoint(pair.server)];

test("addresses that are known are shown as they are", () => {
  const pair = new Endpoints().take("192.0.2.7:40000", "198.51.100.1:80");
  assert.deepEqual(ends(pair), ["192.0.2.7:40000", "198.51.100.1:80"]);
  assert.equal(pair.invented, "");
});

test("a pair of two families is shown in IPv6", () => {
  assert.deepEqual(ends(new Endpoints().take("192.0.2.7:40000", "[2001:db8::1]:80")), [
    "[0:0:0:0:0:ffff:c000:207]:40000",
    "[2001:db8:0:0:0:0:0:1]:80",
  ]);
  // A client of a dual-stack listener is an IPv4 client.
  assert.deepEqual(ends(new Endpoints().take("[::ffff:192.0.2.7]:40000", "198.51.100.1:80")), [
    "192.0.2.7:40000",
    "198.51.100.1:80",
  ]);
});

test("what has no address gets one of its own, and it is said", () => {
  const endpoints = new Endpoints();
  const socket = endpoints.take("127.0.0.1:40000", "/run/app.sock");
  assert.deepEqual(ends(socket), ["127.0.0.1:40000", "127.0.0.1:30300"]);
  assert.equal(socket.invented, "server /run/app.sock is shown as 127.0.0.1:30300");
  assert.deepEqual(ends(endpoints.take("127.0.0.1:40001", "/run/other.sock"))[1], "127.0.0.1:30301");
  assert.deepEqual(ends(endpoints.take("127.0.0.1:40002", "/run/app.sock"))[1], "127.0.0.1:30300");
  assert.deepEqual(ends(endpoints.take("[::1]:40002", "/run/app.sock"))[1], "[0:0:0:0:0:0:0:1]:30300");
  assert.deepEqual(ends(endpoints.take("127.0.0.1:40003", "example.org:443"))[1], "192.0.2.1:443");
  assert.deepEqual(ends(endpoints.take("127.0.0.1:40003", "example.com:80"))[1], "192.0.2.2:80");
  assert.deepEqual(ends(endpoints.take("[::1]:40004", "example.org:8443"))[1], "[2001:db8:0:0:0:0:0:1]:8443");
  assert.deepEqual(ends(endpoints.take("127.0.0.1:40005", "localhost:50051"))[1], "127.0.0.1:50051");
  const unknown = endpoints.take("unknown", "[::1]:80");
  assert.match(unknown.invented, /^client unknown is shown as \[0:0:0:0:0:0:0:1\]:\d+$/);
});

test("conversations that are open at a time never share both ends", () => {
  const endpoints = new Endpoints();
  const first = endpoints.take("127.0.0.1:40000", "127.0.0.1:80");
  const second = endpoints.take("127.0.0.1:40000", "127.0.0.1:80");
  // A reader does not ask who began.
  const turned = endpoints.take("127.0.0.1:80", "127.0.0.1:40000");
  const itself = endpoints.take("127.0.0.1:80", "127.0.0.1:80");
  const keys = [first, second, turned, itself].map(({ key }) => key);
  assert.equal(new Set(keys).size, keys.length, keys.join(", "));
  assert.match(second.invented, /^port 40000 of the client is shown as \d+: another connection has the same addresses$/);
  assert.notDeepEqual(ends(itself)[0], ends(itself)[1]);
  endpoints.release(first);
  assert.deepEqual(ends(endpoints.take("127.0.0.1:40000", "127.0.0.1:80")), ["127.0.0.1:40000", "127.0.0.1:80"]);
});

test("no more than 254 names are remembered", () => {
  const endpoints = new Endpoints();
  const addresses = Array.from({ length: 300 }, (_, at) => ends(endpoints.take("127.0.0.1:40000", `h${at}:80`))[1]);
  assert.equal(new Set(addresses).size, 254);
  assert.equal(addresses[299], "192.0.2.254:80");
});
