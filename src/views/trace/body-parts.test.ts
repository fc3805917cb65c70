import assert from "node:assert/strict";
import { test } from "node:test";
import { C2S } from "../../decode/direction.ts";
import { Ledger } from "../../ledger/ledger.ts";
import { Redactor } from "../redact.ts";
import { createTheme } from "../theme.ts";
import { Trace } from "./trace.ts";

/** The lines of a JSON body at level octets: category, octets in hex or redacted, path. */
function bodyLines(json: string, redactor = new Redactor({ names: ["tenant"] })): string[][] {
  let text = "";
  const write = (lines: string): void => {
    text += lines;
  };
  const listener = new Trace({
    level: "octets",
    time: "rel",
    notes: false,
    redactor,
    theme: createTheme(0),
    startedNs: 0n,
    write,
  });
  const ledger = new Ledger({ kind: "proxy", generator: { name: "wiretally", version: "0" }, startedNs: 0n, listener });
  const connection = ledger.open({ listener: "", client: "", server: "" }, 0);
  const head = `POST / HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${json.length}\r\n\r\n`;
  connection.delta(C2S, Buffer.from(head + json), 0);
  return text
    .split("\n")
    .filter((line) => /^ *\d+ +\d+ +body\./.test(line))
    .map((line) => line.trim().split(/ {2,}/).slice(2));
}

const hex = (text: string): string =>
  Buffer.from(text)
    .toString("hex")
    .replaceAll(/..(?=.)/g, "$& ");

test("a body by its parts: octets and the path of their field", () => {
  assert.deepEqual(bodyLines('{"user":{"name":"bob"},"n":[1,true]}'), [
    ["body.json.punctuation", hex("{")],
    ["body.json.key.quote", hex('"')],
    ["body.json.key.text", hex("user")],
    ["body.json.key.quote", hex('"')],
    ["body.json.punctuation", hex(":")],
    ["body.json.punctuation", hex("{"), "user"],
    ["body.json.key.quote", hex('"'), "user"],
    ["body.json.key.text", hex("name"), "user"],
    ["body.json.key.quote", hex('"'), "user"],
    ["body.json.punctuation", hex(":"), "user"],
    ["body.json.string.quote", hex('"'), "user.name"],
    ["body.json.string.text", hex("bob"), "user.name"],
    ["body.json.string.quote", hex('"'), "user.name"],
    ["body.json.punctuation", hex("}"), "user"],
    ["body.json.punctuation", hex(",")],
    ["body.json.key.quote", hex('"')],
    ["body.json.key.text", hex("n")],
    ["body.json.key.quote", hex('"')],
    ["body.json.punctuation", hex(":")],
    ["body.json.punctuation", hex("["), "n"],
    ["body.json.number", hex("1"), "n"],
    ["body.json.punctuation", hex(","), "n"],
    ["body.json.literal", hex("true"), "n"],
    ["body.json.punctuation", hex("]"), "n"],
    ["body.json.punctuation", hex("}")],
  ]);
});

test("values of sensitive members are hidden, with all that is below them; their names are not", () => {
  for (const name of ["password", "accessToken", "client-secret", "tenant", "Session_ID"]) {
    const lines = bodyLines(`{"${name}":{"a":["s3",7]}}`);
    const shown = lines.map(([, octets]) => octets);
    assert.ok(shown.includes(hex(name)), name);
    assert.ok(!shown.includes(hex("s3")) && !shown.includes(hex("7")), name);
    assert.ok(
      lines.some(([category, octets]) => category === "body.json.string.text" && octets === "[redacted 2 octets]"),
      name,
    );
  }
  assert.ok(bodyLines('{"password":"s3"}', new Redactor({ showSecrets: true })).some(([, octets]) => octets === hex("s3")));
});

test("base64 is no cipher: it is hidden", () => {
  const base64 = Buffer.from('{"password":"a"}').toString("base64");
  const lines = bodyLines(`["${base64}"]`).filter(([category]) => category?.startsWith("body.json.base64"));
  assert.deepEqual(lines, [
    ["body.json.base64.data", "[redacted 16 octets]"],
    ["body.json.base64.inflation", "[redacted 8 octets]"],
  ]);
});
