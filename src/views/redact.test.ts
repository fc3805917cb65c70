import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Redactor } from "./redact.ts";
import { TextRedactor } from "./redact-text.ts";

const redactor = new Redactor();
const open = new Redactor({ showSecrets: true });

test("values of sensitive field lines", () => {
  const bearer = `Bearer ${"t".repeat(144)}`;
  const table: [name: string, value: string, shown: string][] = [
    ["authorization", bearer, "[redacted 151 octets]"],
    ["Authorization", "x", "[redacted 1 octets]"],
    ["proxy-authorization", "Basic abc", "[redacted 9 octets]"],
    ["x-api-key", "abc", "[redacted 3 octets]"],
    ["x-auth-token", "abc", "[redacted 3 octets]"],
    ["x-amz-security-token", "abc", "[redacted 3 octets]"],
    ["x-csrf-token", "abc", "[redacted 3 octets]"],
    ["cookie", "sid=abcd; theme=dark", "sid=[redacted 4 octets]; theme=[redacted 4 octets]"],
    ["cookie", "bare", "[redacted 4 octets]"],
    ["cookie", "a=b=c", "a=[redacted 3 octets]"],
    ["set-cookie", "sid=abcd; Path=/; HttpOnly", "sid=[redacted 4 octets]; Path=/; HttpOnly"],
    ["content-type", "application/json", "application/json"],
    ["referer", "https://u:pw@h/p?token=abc", "https://[redacted 4 octets]@h/p?token=[redacted 3 octets]"],
    [":authority", "user:pw@h:80", "[redacted 7 octets]@h:80"],
    ["host", "h:80", "h:80"],
  ];
  for (const [name, value, shown] of table) {
    assert.equal(redactor.fieldValue(name, value, false), shown);
    assert.equal(open.fieldValue(name, value, false), value);
  }
  assert.equal(redactor.fieldValue("x-anything", "abc", true), "[redacted 3 octets]");
  assert.equal(redactor.fieldValue(null, "abc", true), "[redacted 3 octets]");
});

test("targets, start-lines and other texts", () => {
  const table: [text: string, shown: string][] = [
    ["/p?a=1&access_token=abc&x=y", "/p?a=1&access_token=[redacted 3 octets]&x=y"],
    ["/p?access%5Ftoken=abc", "/p?access%5Ftoken=[redacted 3 octets]"],
    ["/p?PASSWORD=a?b;c=d", "/p?PASSWORD=[redacted 7 octets]"],
    ["/p?user[password]=1&q=2", "/p?user[password]=[redacted 1 octets]&q=2"],
    ["/cb#id_token=abc", "/cb#id_token=[redacted 3 octets]"],
    ["/p;token=abc", "/p;token=[redacted 3 octets]"],
    ["/p?tokens=abc&q=a@b", "/p?tokens=abc&q=a@b"],
    ["//u@h//v@i/", "//[redacted 1 octets]@h//[redacted 1 octets]@i/"],
    ["no colon in: Authorization: Bearer a=b", "no colon in: Authorization: [redacted 10 octets]"],
    ["Authorization : x", "Authorization : [redacted 1 octets]"],
  ];
  for (const [text, shown] of table) assert.equal(redactor.text(text), shown);
  assert.equal(
    redactor.startLine("GET http://u:p@h/?sig=1 HTTP/1.1"),
    "GET http://[redacted 3 octets]@h/?sig=[redacted 1 octets] HTTP/1.1",
  );
  assert.equal(redactor.startLine("CONNECT u:p@h:443 HTTP/1.1"), "CONNECT [redacted 3 octets]@h:443 HTTP/1.1");
  assert.equal(redactor.target("CONNECT", "u:p@h:443"), "[redacted 3 octets]@h:443");
});

test("names of one's own are secret in field lines and in queries", () => {
  const own = new Redactor({ names: ["X-Tenant"] });
  assert.equal(own.fieldValue("x-tenant", "acme", false), "[redacted 4 octets]");
  assert.equal(own.text("/p?x-tenant=acme"), "/p?x-tenant=[redacted 4 octets]");
  assert.equal(redactor.fieldValue("x-tenant", "acme", false), "acme");
});

test("a secret is gone wherever it stands in a query", () => {
  const secret = fc.stringMatching(/^S3CRET[\w?;=,@:!-]{0,8}$/);
  const piece = fc.stringMatching(/^[a-z]{1,4}=[a-z0-9]{0,4}$/);
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 3 }), secret, fc.array(piece, { maxLength: 3 }), (before, value, after) => {
      const shown = redactor.text(`/p?${[...before, `token=${value}`, ...after].join("&")}`);
      assert.doesNotMatch(shown, /S3CRET/);
    }),
  );
});

test("decoded texts are measured in octets", () => {
  assert.equal(new TextRedactor(redactor).text("/caf\u00e9?token=\u00e9"), "/caf\u00e9?token=[redacted 2 octets]");
});

test("long hostile values take no long time", () => {
  const started = performance.now();
  for (const text of [
    `${"a".repeat(262_144)}:`,
    `${"//".repeat(131_072)}@`,
    `a${" ".repeat(262_144)}=@:`,
    "a=;".repeat(87_000),
  ]) {
    redactor.text(text);
  }
  assert.ok(performance.now() - started < 2000);
});
