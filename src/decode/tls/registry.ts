import type { Category } from "../category.ts";
import type { Level } from "../level.ts";

type Row = Readonly<{ code: number; name: string; category: Category & `tls.${string}`; level: Level }>;

/** IANA "TLS ContentType" registry, 20 to 24; what a record of that outer type counts as without keys. */
export const CONTENT_TYPES = [
  { code: 20, name: "change_cipher_spec", category: "tls.change_cipher_spec", level: "setup" },
  { code: 21, name: "alert", category: "tls.alert", level: "close" },
  { code: 22, name: "handshake", category: "tls.handshake", level: "setup" },
  { code: 23, name: "application_data", category: "tls.encrypted", level: "unowned" },
  // RFC 6520: after the handshake its records are encrypted under their own type.
  { code: 24, name: "heartbeat", category: "tls.encrypted", level: "unowned" },
] as const satisfies readonly Row[];

/** A row of {@link CONTENT_TYPES}. */
export type ContentType = (typeof CONTENT_TYPES)[number];
