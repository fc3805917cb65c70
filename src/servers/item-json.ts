import type { Item } from "./item.ts";

/**
 * The JSON twin of an item: keys in the schema's order and all of them, no whitespace, payload in standard base64.
 * No tags are `null`, as Go's encoding/json writes a nil slice.
 */
export function writeItemJson(item: Item): string {
  const { id, name, count, tags, payload } = item;
  return JSON.stringify({
    id,
    name,
    count,
    tags: tags.length === 0 ? null : tags,
    payload: Buffer.from(payload).toString("base64"),
  });
}

/** An item, or what is wrong with the text in a form for its sender. */
export type ItemJsonReading = { readonly item: Item } | { readonly problem: string };

/**
 * Read the JSON twin. A key that is missing has its type's zero value, as in protobuf; unknown keys are ignored.
 * Never throws: bad text is a `problem`.
 */
export function readItemJson(text: string): ItemJsonReading {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return { problem: "the body is not JSON" };
  }
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) return { problem: "the body is not a JSON object" };
  const { id = 0, name = "", count = 0, tags = null, payload = "" } = parsed as { readonly [key: string]: unknown };

  // Past 2^53 a JSON number would come back changed: refuse it rather than echo something else.
  if (!isSafeInteger(id)) return { problem: "id is not an integer between -(2^53 - 1) and 2^53 - 1" };
  if (typeof name !== "string") return { problem: "name is not a string" };
  if (!isSafeInteger(count)) return { problem: "count is not an integer between -(2^53 - 1) and 2^53 - 1" };
  if (tags !== null && !isStringArray(tags)) return { problem: "tags is neither null nor an array of strings" };
  if (typeof payload !== "string") return { problem: "payload is not a string" };
  const octets = Buffer.from(payload, "base64");
  // Buffer skips what is not base64, so only the way back shows that nothing was skipped.
  if (octets.toString("base64") !== payload) return { problem: "payload is not standard base64 with padding" };
  return { item: { id, name, count, tags: tags ?? [], payload: octets } };
}

function isSafeInteger(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

function isStringArray(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === "string");
}
