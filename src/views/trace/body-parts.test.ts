import assert from "node:assert/strict";
import { test } from "node:test";
import { FIN } from "../../../test/scripted-wire.ts";
import { C2S } from "../../decode/direction.ts";
import { Ledger } from "../../ledger/ledger.ts";
import { Redactor } from "../redact.ts";
import { createTheme } from "../theme.ts";
import { Trace } from "./trace.ts";

/** The lines of a JSON body at level octets: category, octets in hex or redacted, path. */
function bodyLines(json: string, redactor = new Redactor({ names: ["tenant"] }), length = Buffer.byteLength(json)): string[][] {
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
  const head = `POST / HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
  connection.delta(C2S, Buffer.from(head + json), 0);
  connection.close(FIN, 0);
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
    ["body.json.key.text", hex("user"), '"user"'],
    ["body.json.key.quote", hex('"')],
    ["body.json.punctuation", hex(":")],
    ["body.json.punctuation", hex("{"), "user"],
    ["body.json.key.quote", hex('"'), "user"],
    ["body.json.key.text", hex("name"), '"name"', "user"],
    ["body.json.key.quote", hex('"'), "user"],
    ["body.json.punctuation", hex(":"), "user"],
    ["body.json.string.quote", hex('"'), "user.name"],
    ["body.json.string.text", hex("bob"), '"bob"', "user.name"],
    ["body.json.string.quote", hex('"'), "user.name"],
    ["body.json.punctuation", hex("}"), "user"],
    ["body.json.punctuation", hex(",")],
    ["body.json.key.quote", hex('"')],
    ["body.json.key.text", hex("n"), '"n"'],
    ["body.json.key.quote", hex('"')],
    ["body.json.punctuation", hex(":")],
    ["body.json.punctuation", hex("["), "n"],
    ["body.json.number", hex("1"), '"1"', "n"],
    ["body.json.punctuation", hex(","), "n"],
    ["body.json.literal", hex("true"), '"true"', "n"],
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

test("what a string quotes is looked for with its escapes undone, and in JSON within JSON", () => {
  const shown = (json: string): string[] =>
    bodyLines(json).flatMap(([category, octets = ""]) => (category?.startsWith("body.json.string") ? [octets] : []));
  for (const json of [
    '["x\\r\\nAuthorization: Bearer s3cr"]',
    '["a=1\\npassword=s3cr"]',
    `["${"a".repeat(40)} password=\\ns3cr"]`,
    '["{\\"p\\\\u0061ssword\\":\\"s3cr\\"}"]',
  ]) {
    assert.ok(!shown(json).some((octets) => octets.includes(hex("s3cr"))), json);
  }
  assert.ok(shown('["C:\\\\dir"]').includes(hex("dir")), "what is no secret is shown");
});

test("a string that goes on in the next chunk is hidden: it may be base64, or end in what makes it a secret", () => {
  const lines = bodyLines('{"a":"bob', undefined, 20);
  assert.deepEqual(lines.at(-1), ["body.json.string.text", "[redacted 3 octets]"]);
});

test("sensitive names by a word in them", () => {
  for (const name of [
    "newPassword",
    "aws_secret_access_key",
    "privateKey",
    "user_password",
    "otp",
    "ｐassword",
    "X-Auth-Token",
  ]) {
    assert.ok(!bodyLines(`{"${name}":"s3cr"}`).some(([, octets]) => octets === hex("s3cr")), name);
  }
  for (const name of ["max_tokens", "monkey", "keyboard", "secretary", "passworded"]) {
    assert.ok(
      bodyLines(`{"${name}":"s3cr"}`).some(([, octets]) => octets === hex("s3cr")),
      name,
    );
  }
});

test("base64 is no cipher: it is hidden", () => {
  const base64 = Buffer.from('{"password":"a"}').toString("base64");
  const lines = bodyLines(`["${base64}"]`).filter(([category]) => category?.startsWith("body.json.base64"));
  assert.deepEqual(lines, [
    ["body.json.base64.data", "[redacted 16 octets]"],
    ["body.json.base64.inflation", "[redacted 8 octets]"],
  ]);
});
