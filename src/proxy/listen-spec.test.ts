import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { formatAddress, formatTarget, type ListenSpec, parseListenSpec, UsageError } from "./listen-spec.ts";

const tcp = (host: string, port: number) => ({ kind: "tcp", host, port }) as const;
const unix = (path: string) => ({ kind: "unix", path }) as const;

const GOOD: readonly (readonly [string, ListenSpec])[] = [
  ["8080:127.0.0.1:9090", { name: null, host: "127.0.0.1", port: 8080, target: tcp("127.0.0.1", 9090) }],
  ["0:localhost:1", { name: null, host: "127.0.0.1", port: 0, target: tcp("localhost", 1) }],
  ["0.0.0.0:8080:app.test:65535", { name: null, host: "0.0.0.0", port: 8080, target: tcp("app.test", 65535) }],
  ["[::1]:8080:[::1]:9090", { name: null, host: "::1", port: 8080, target: tcp("::1", 9090) }],
  ["[::]:8080:[fe80::1%eth0]:9090", { name: null, host: "::", port: 8080, target: tcp("fe80::1%eth0", 9090) }],
  ["web=8080:/run/app.sock", { name: "web", host: "127.0.0.1", port: 8080, target: unix("/run/app.sock") }],
  ["8080:/run/a:1=b.sock", { name: null, host: "127.0.0.1", port: 8080, target: unix("/run/a:1=b.sock") }],
  ["8080:my_app-1.example.:80", { name: null, host: "127.0.0.1", port: 8080, target: tcp("my_app-1.example.", 80) }],
  ["8080:10gen:80", { name: null, host: "127.0.0.1", port: 8080, target: tcp("10gen", 80) }],
  ["a.b_c-1=localhost:80:[::1]:81", { name: "a.b_c-1", host: "localhost", port: 80, target: tcp("::1", 81) }],
];

const BAD: readonly (readonly [string, RegExp])[] = [
  ["", /no target/],
  ["8080", /no target/],
  ["8080:", /no target/],
  ["localhost:8080", /no target/],
  ["8080:9090", /"9090" is not host:port/],
  ["8080:localhost", /"localhost" is not host:port/],
  ["8080:localhost:", /is not host:port/],
  ["8080:localhost:0", /target port 0 is not in 1-65535/],
  ["8080:localhost:65536", /target port 65536/],
  ["65536:localhost:80", /port 65536 is above 65535/],
  ["8080:::1:9090", /an IPv6 address needs brackets/],
  ["8080:run/app.sock", /is not host:port/],
  [":8080:localhost:80", /0\.0\.0\.0 or \[::\] for all/],
  ["*:8080:localhost:80", /0\.0\.0\.0 or \[::\] for all/],
  ["a b=8080:localhost:80", /the name may have/],
  ["=8080:localhost:80", /the name may have/],
  ["8080:127.0.0.1:8080", /its own target/],
  ["8080:localhost:8080", /its own target/],
  ["http:localhost:80:x", /port "localhost" is not a number/],
  ["abc:127.0.0.1:80", /port "abc" is not a number/],
  ["9100.5:127.0.0.1:80", /port "9100\.5" is not a number/],
  ["0x10:127.0.0.1:80", /port "0x10" is not a number/],
  ["-1:127.0.0.1:80", /port "-1" is not a number/],
  ["localhost:abc:127.0.0.1:80", /port "abc" is not a number/],
  ["[::1]:abc:127.0.0.1:80", /port "abc" is not a number/],
  ["[::1]:80", /no target/],
  ["[zz]:9100:127.0.0.1:80", /"\[zz\]" is not an IPv6 address/],
  ["a=b=9100:127.0.0.1:80", /more than one name/],
  ["http://127.0.0.1:80", /a port, not a scheme/],
  ["tcp://0:127.0.0.1:80", /a port, not a scheme/],
  ["9100 127.0.0.1:80", /whitespace: not \[name=\]\[host:\]port:TARGET/],
  ["::1:9145:127.0.0.1:8081", /an IPv6 address needs brackets/],
  ["fe80::1:9145:127.0.0.1:8081", /an IPv6 address needs brackets/],
  ["2001:db8::1:9145:127.0.0.1:8081", /an IPv6 address needs brackets/],
  ["web!:9100:127.0.0.1:80", /"web!" is not a host name or an address/],
  ["9100:not a host:80", /target "not a host:80": "not a host" is not a host name or an address/],
  ["9100:@:80", /"@" is not a host name or an address/],
  ["9100:user@host:80", /"user@host" is not a host name/],
  ["9100:a..b:80", /"a\.\.b" is not a host name/],
  ["9100:300.1.1.1:80", /"300\.1\.1\.1" is not an IPv4 address/],
  ["9100:9090:80", /"9090" is not an IPv4 address/],
  ["9100:[127.0.0.1]:80", /"\[127\.0\.0\.1\]" is not an IPv6 address/],
  ["9100:http://127.0.0.1:80", /no scheme: write 127\.0\.0\.1:80/],
  ["9100:http://127.0.0.1:80/item", /no scheme: write 127\.0\.0\.1:80/],
  ["9100:https://app.test", /no scheme: write app\.test:443/],
  ["9100:grpc://[::1]:50051", /no scheme: write \[::1\]:50051/],
  ["9100:127.0.0.1:80/item", /is not host:port/],
];

test("listeners are read as ssh -L is written", () => {
  for (const [text, expected] of GOOD) assert.deepEqual(parseListenSpec(text), expected, text);
});

test("a listener that cannot be meant is one clear line with an example", () => {
  for (const [text, expected] of BAD) {
    const error = parseListenSpec(text);
    assert.ok(error instanceof UsageError, `${text}: taken as a listener`);
    assert.match(error.message, expected, text);
    assert.doesNotMatch(error.message, /\n/, text);
    assert.ok(error.message.includes(JSON.stringify(text)), `${text}: ${error.message}`);
  }
});

test("any text gives a listener or a UsageError, and addresses survive being written", () => {
  const host = fc.oneof(fc.ipV4(), fc.ipV6(), fc.domain());
  const port = fc.integer({ min: 1, max: 65535 });
  fc.assert(
    fc.property(host, fc.nat(65535), host, port, (from, fromPort, to, toPort) => {
      fc.pre(fromPort !== toPort);
      const target = tcp(to, toPort);
      const text = `${formatAddress(from, fromPort)}:${formatTarget(target)}`;
      assert.deepEqual(parseListenSpec(text), { name: null, host: from, port: fromPort, target });
    }),
    { numRuns: 200 },
  );
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(..."a0=:[]/.*8 \n") }), (text) => {
      const read = parseListenSpec(text);
      assert.ok(read instanceof UsageError || read.target !== undefined, text);
    }),
    { numRuns: 200 },
  );
});
