import { isSensitiveField } from "./sensitive.ts";

/** Fields that carry a URL or a part of one: a query or userinfo in it can hold credentials. */
const URL_FIELDS = new Set([
  ":path",
  ":authority",
  "host",
  "location",
  "content-location",
  "referer",
  "origin",
  "link",
  "refresh",
]);

/** Whether the octets of a field's value must be masked in a hex view: what a text view can redact in part, a hex view hides whole. */
export function isSecretValue(name: string, value: string | null): boolean {
  if (isSensitiveField(name)) return true;
  return URL_FIELDS.has(name.toLowerCase()) && (value === null || isSecretUrl(value));
}

/** Whether a URL, a request target or an authority has a query or userinfo. */
export function isSecretUrl(url: string): boolean {
  return url.includes("?") || url.includes("@");
}
