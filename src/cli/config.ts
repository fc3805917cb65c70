import { readFile } from "node:fs/promises";
import { type Document, LineCounter, parseDocument } from "yaml";
import { z } from "zod";
import { UsageError } from "../proxy/listen-spec.ts";
import type { RawValues } from "./layers.ts";
import { didYouMean } from "./suggest.ts";

const text = z.string("must be a text");
const whole = z.number("must be a number");
const yesOrNo = z.boolean("must be true or false");
const time = z.union([z.string(), z.number()], "must be a number of seconds or a text such as 30s");
const size = z.union([z.string(), z.number()], "must be a number of octets or a text such as 100M");
const list = z.union([z.string(), z.array(z.string())], "must be a text or a list of texts");

/** What a configuration file may say: the long options of `proxy` and `read`, and `redact`; each command takes its own. */
export const configSchema = z.strictObject({
  listen: list.optional(),
  trace: text.optional(),
  verbose: whole.optional(),
  quiet: yesOrNo.optional(),
  time: text.optional(),
  notes: yesOrNo.optional(),
  filter: text.optional(),
  output: text.optional(),
  format: text.optional(),
  json: text.optional(),
  write: text.optional(),
  "capture-size": size.optional(),
  ring: whole.optional(),
  proto: list.optional(),
  "proto-path": list.optional(),
  strict: yesOrNo.optional(),
  "show-secrets": yesOrNo.optional(),
  "max-connections": whole.optional(),
  "idle-timeout": time.optional(),
  "connect-timeout": time.optional(),
  duration: time.optional(),
  count: whole.optional(),
  interval: time.optional(),
  "decode-as": list.optional(),
  first: time.optional(),
  last: time.optional(),
  separate: yesOrNo.optional(),
  follow: text.optional(),
  color: text.optional(),
  redact: list.optional().describe("more names of field lines and of query and form fields whose values are secrets"),
});

/** Read a YAML 1.2 or JSON file. Rejects with a UsageError of one line that names the file, and the place where it can. */
export async function readConfig(path: string): Promise<RawValues> {
  const wrong = (what: string): UsageError => new UsageError(`--config ${path}: ${what}`);
  const written = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw wrong(error.code === "ENOENT" ? "there is no such file" : `cannot be read (${error.code ?? error.message})`);
  });
  const lines = new LineCounter();
  const document = parseDocument(written, { lineCounter: lines, prettyErrors: false });
  const [fault] = document.errors;
  if (fault !== undefined) {
    const { line, col } = lines.linePos(fault.pos[0]);
    throw wrong(`neither YAML nor JSON at line ${line}, column ${col}: ${fault.message.split("\n")[0]}`);
  }
  const checked = configSchema.safeParse(valuesOf(document, wrong));
  if (checked.success) return checked.data;
  throw wrong(issueText(checked.error.issues[0]));
}

/** Aliases are followed only here: one may lead nowhere, or to more than memory holds. */
function valuesOf(document: Document, wrong: (what: string) => UsageError): unknown {
  try {
    return document.toJS() ?? {};
  } catch (error) {
    throw wrong(`neither YAML nor JSON: ${error instanceof Error ? error.message.split("\n")[0] : String(error)}`);
  }
}

function issueText(issue: z.core.$ZodIssue | undefined): string {
  if (issue?.code === "unrecognized_keys") {
    const [key = ""] = issue.keys;
    return `unknown key ${JSON.stringify(key)}${didYouMean(key, Object.keys(configSchema.shape))}`;
  }
  if (issue?.code === "invalid_type" && issue.path.length === 0) return "the file must be a map of options";
  const place = issue?.path.length ? `${issue.path.join(".")}: ` : "";
  return `${place}${issue?.message ?? "not understood"}`;
}
