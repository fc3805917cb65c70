import { readFile } from "node:fs/promises";
import { LineCounter, parseDocument } from "yaml";
import { z } from "zod";
import { UsageError } from "../proxy/listen-spec.ts";
import type { RawValues } from "./layers.ts";
import { didYouMean } from "./suggest.ts";

const words = z.union([z.string(), z.number()]);
const list = z.union([z.string(), z.array(z.string())]);

/** What a configuration file may say: the long options of `proxy`, and `redact`. */
export const configSchema = z.strictObject({
  listen: list.optional(),
  trace: z.string().optional(),
  verbose: z.number().optional(),
  quiet: z.boolean().optional(),
  time: z.string().optional(),
  notes: z.boolean().optional(),
  output: z.string().optional(),
  format: z.string().optional(),
  json: z.string().optional(),
  strict: z.boolean().optional(),
  "show-secrets": z.boolean().optional(),
  "max-connections": z.number().optional(),
  "idle-timeout": words.optional(),
  "connect-timeout": words.optional(),
  duration: words.optional(),
  count: z.number().optional(),
  interval: words.optional(),
  color: z.string().optional(),
  redact: list.optional().describe("more names of field lines and of query and form fields whose values are secrets"),
});

/** Read a YAML 1.2 or JSON file. Rejects with a UsageError of one line that names the file, and the place where it can. */
export async function readConfig(path: string): Promise<RawValues> {
  const wrong = (what: string): UsageError => new UsageError(`--config ${path}: ${what}`);
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw wrong(error.code === "ENOENT" ? "there is no such file" : `cannot be read (${error.code ?? error.message})`);
  });
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const [fault] = document.errors;
  if (fault !== undefined) throw wrong(`line ${lines.linePos(fault.pos[0]).line}: ${fault.message.split("\n")[0]}`);
  const checked = configSchema.safeParse(document.toJS() ?? {});
  if (checked.success) return checked.data;
  throw wrong(issueText(checked.error.issues[0]));
}

function issueText(issue: z.core.$ZodIssue | undefined): string {
  if (issue?.code === "unrecognized_keys") {
    const [key = ""] = issue.keys;
    return `unknown key ${JSON.stringify(key)}${didYouMean(key, Object.keys(configSchema.shape))}`;
  }
  const place = issue?.path.length ? `${issue.path.join(".")}: ` : "";
  return `${place}${issue?.message ?? "not understood"}`;
}
