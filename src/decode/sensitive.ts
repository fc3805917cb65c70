/** Field names whose values are credentials, in lower case. */
const SENSITIVE_FIELDS = [
  "authorization",
  "proxy-authorization",
  "cookie",
  "set-cookie",
  "x-api-key",
  "x-auth-token",
  "x-amz-security-token",
  "x-csrf-token",
] as const;

const SENSITIVE = new Set<string>(SENSITIVE_FIELDS);
const LONGEST = Math.max(...SENSITIVE_FIELDS.map((name) => name.length));

/** Whether the value of field `name` (any case) is never shown unless secrets are asked for. */
export function isSensitiveField(name: string): boolean {
  return name.length <= LONGEST && SENSITIVE.has(name.toLowerCase());
}
