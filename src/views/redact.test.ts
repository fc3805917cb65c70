import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { RULES } from "../decode/http1/rules.ts";
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
  assert.equal(redactor.target("u:p@h:443"), "[redacted 3 octets]@h:443");
});

test("a target is an authority only if it is no path and no URL", () => {
  const table: [target: string, shown: string][] = [
    ["/chat?token=abc", "/chat?token=[redacted 3 octets]"],
    ["http://a/?token=abc", "http://a/?token=[redacted 3 octets]"],
    ["http://u:p@a/", "http://[redacted 3 octets]@a/"],
    ["u:p/w?x#@a:443", "[redacted 8 octets]@a:443"],
    ["a:443", "a:443"],
    ["[2001:db8::1]:443", "[2001:db8::1]:443"],
    ["*", "*"],
    ["u:cut-off-before-its-sign", "[redacted 25 octets]"],
    ["http://u:cut-off", "http://[redacted 9 octets]"],
    [`http://${"u".repeat(300)}`, "http://[redacted 300 octets]"],
  ];
  for (const [target, shown] of table) {
    assert.equal(redactor.target(target), shown);
    assert.equal(redactor.route(`CONNECT ${target}`), `CONNECT ${shown}`);
    assert.equal(redactor.startLine(`CONNECT ${target} HTTP/1.1`), `CONNECT ${shown} HTTP/1.1`);
    assert.equal(redactor.fieldValue(":path", target, false), shown);
    assert.equal(open.target(target), target);
  }
  assert.equal(redactor.route("/item.v1.ItemService/Echo"), "/item.v1.ItemService/Echo");
  assert.equal(redactor.startLine("GET  /?token=a b \t HTTP/1.0 "), "GET  /?token=[redacted 3 octets] \t HTTP/1.0 ");
  assert.equal(redactor.startLine("HTTP/1.1 200 token=abc x"), "HTTP/1.1 200 token=[redacted 5 octets]");
});

test("on the wire a value ends at & or # only; in prose at white space, too, but not between quotes", () => {
  const table: [value: string, wire: string, prose: string][] = [
    ['/?password="a"&b=1', "/?password=[redacted 3 octets]&b=1", "/?password=[redacted 3 octets]&b=1"],
    ["/?token=a b#c", "/?token=[redacted 3 octets]#c", "/?token=[redacted 1 octets] b#c"],
    ['token="a b" c', "token=[redacted 7 octets]", "token=[redacted 5 octets] c"],
    ['token="a b', "token=[redacted 4 octets]", "token=[redacted 4 octets]"],
    ["token=<a>", "token=[redacted 3 octets]", "token=[redacted 3 octets]"],
    ['//u:"<p@h/', "//[redacted 5 octets]@h/", "//[redacted 5 octets]@h/"],
    ["token=&token=a&TOKEN=bc", ...twice("token=[redacted 0 octets]&token=[redacted 1 octets]&TOKEN=[redacted 2 octets]")],
    ["?%74oken=a", ...twice("?%74oken=[redacted 1 octets]")],
    ["?%2574oken=a", ...twice("?%2574oken=[redacted 1 octets]")],
    ["?password[]=a", ...twice("?password[]=[redacted 1 octets]")],
    ["?x-api-key=a", ...twice("?x-api-key=[redacted 1 octets]")],
    ["?to=http%3A%2F%2Fu%40h%2F&a=1", ...twice("?to=[redacted 21 octets]&a=1")],
    ["token%3Da", ...twice("[redacted 9 octets]")],
    ['{"token": "a", "b": 1}', ...twice('{"token": [redacted 12 octets]')],
    ["?token=http://u:p@h/", ...twice("?token=[redacted 13 octets]")],
  ];
  for (const [value, wire, prose] of table) {
    assert.equal(redactor.fieldValue("x-any", value, false), wire);
    assert.equal(redactor.text(value), prose);
  }
  // A note quotes 200 octets of a GOAWAY's debug data: perhaps not as far as the sign.
  assert.equal(redactor.text("GOAWAY: http://user:pw"), "GOAWAY: http://[redacted 7 octets]");
});

test("cookies and their attributes", () => {
  const table: [name: string, value: string, shown: string][] = [
    ["set-cookie", "a=1; Path=/, sid=S", "a=[redacted 1 octets]; Path=[redacted 8 octets]"],
    ["Set-Cookie", "a=1; sid=S; secure", "a=[redacted 1 octets]; [redacted 5 octets]; secure"],
    ["SET-COOKIE", "a=1;Secure=S", "a=[redacted 1 octets];Secure=[redacted 1 octets]"],
    ["set-cookie", "a", "[redacted 1 octets]"],
    ["cookie", 'a="b; S=1"; c=d', "a=[redacted 8 octets]; c=[redacted 1 octets]"],
    ["cookie", 'a="b; S=1', "a=[redacted 7 octets]"],
    ["cookie", "a b=1; =2", "[redacted 5 octets]; [redacted 2 octets]"],
    ["cookie", "", ""],
  ];
  for (const [name, value, shown] of table) assert.equal(redactor.fieldValue(name, value, false), shown);
  const whole =
    "; Expires=Wed, 21 Oct 2015 07:28:00 GMT; Max-Age=-1; Domain=.h.example; Path=/a; SameSite=Lax; HttpOnly; Partitioned";
  assert.equal(redactor.fieldValue("set-cookie", `a=1${whole}`, false), `a=[redacted 1 octets]${whole}`);
});

test("nobody can tell what the value of an unknown name is", () => {
  assert.equal(redactor.fieldValue(null, "Bearer abc", false), "[redacted 10 octets]");
  assert.equal(open.fieldValue(null, "Bearer abc", false), "Bearer abc");
});

test("what is no secret stays", () => {
  const table: [name: string, value: string][] = [
    ["accept", "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8"],
    ["alt-svc", 'h2=":443"; ma=60'],
    ["cache-control", "max-age=0, no-cache"],
    ["content-type", "multipart/form-data; boundary=----a"],
    ["date", "Wed, 21 Oct 2015 07:28:00 GMT"],
    ["from", "a@h.example"],
    ["link", '<http://h.example:80/a?b=c>; rel="next", <//i.example>; rel=x'],
    ["location", "//h.example:80/@a/b@c?d=e%20f"],
    ["location", "a/b?c"],
    ["origin", "http://auth:3000"],
    ["referer", "http://session.example/?redirect_uri=https%3A%2F%2Fh%2Fcb%3Fa%3Db&state=1"],
    ["user-agent", "Mozilla/5.0 (X11; Linux x86_64; rv:1.0) like/1 (+http://h.example/bot)"],
    ["vary", "Cookie, Authorization"],
    ["www-authenticate", 'Bearer realm="a", scope="b c"'],
    ["host", "[::1]:80"],
    [":authority", "a_b.example:80"],
    [":path", "/a/@b/c;v=1?d=%E2%82%AC&e=100%&f=a:b@c"],
    ["grpc-message", "100%25 of %E2%82%AC: done"],
  ];
  for (const [name, value] of table) assert.equal(redactor.fieldValue(name, value, false), value);
  for (const { text } of Object.values(RULES)) assert.equal(redactor.text(text), text);
  for (const name of ["content-type", ":path", "x-token"]) assert.equal(redactor.fieldName(name), name);
  assert.equal(redactor.fieldName("?token=a"), "?token=[redacted 1 octets]");
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
  const pieces = [
    "a",
    "//",
    "=",
    ":",
    "@",
    "%",
    "%25",
    "%2525",
    "&",
    '"',
    "\\",
    "'",
    " ",
    "\t",
    ";",
    ",",
    "/",
    "?",
    "[",
    "]",
    ".",
  ];
  const more = [
    "a=",
    "a:",
    "a=;",
    "a:=",
    " =",
    '"=',
    "token=",
    "token%3D",
    '"token" ',
    "//a@",
    "/a@?",
    "%3D%26",
    "u:",
    "HTTP/",
    "a b",
  ];
  const ends = ["", "@", "%zz"];
  let slowest = { ms: 0, what: "" };
  for (const piece of [...pieces, ...more]) {
    for (const end of ends) {
      const text = piece.repeat(Math.ceil(65_536 / piece.length)) + end;
      const started = performance.now();
      for (const name of ["x-any", "cookie", "set-cookie", "host", "referer", ":path"]) redactor.fieldValue(name, text, false);
      redactor.text(text);
      redactor.startLine(`GET ${text}`);
      redactor.startLine(text);
      redactor.route(text);
      const ms = performance.now() - started;
      if (ms > slowest.ms) slowest = { ms, what: JSON.stringify([piece, end]) };
    }
  }
  // Ten readings of 64 KiB; what is quadratic takes many seconds.
  assert.ok(slowest.ms < 1000, `${slowest.what} took ${slowest.ms} ms`);
});

function twice(text: string): [string, string] {
  return [text, text];
}
