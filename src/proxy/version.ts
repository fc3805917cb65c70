import { createRequire } from "node:module";

// By the package's own name, so that it is found from the source and from the build alike.
const manifest = createRequire(import.meta.url)("wiretally/package.json") as { readonly version: string };

/** Who writes our documents. */
export const GENERATOR = { name: "wiretally", version: manifest.version } as const;
