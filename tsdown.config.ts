import { defineConfig } from "tsdown";

// `resolver: "tsc"` and `eager`: declarations then follow the workspace's private condition as tsc does.
const declarations = { resolver: "tsc", eager: true } as const;

const common = {
  format: "esm",
  target: "node20.19",
  fixedExtension: false,
  tsconfig: "tsconfig.build.json",
  dts: declarations,
  logLevel: "warn",
  inputOptions: {
    resolve: { conditionNames: ["wiretally-source", "node", "import", "default"] },
    checks: { pluginTimings: false },
  },
} as const;

export default defineConfig([
  {
    ...common,
    // The parser is built in, not depended on: nobody owns its name on the registry yet.
    deps: { alwaysBundle: ["http2-frame-parser"] },
    entry: { index: "src/index.ts", cli: "src/cli/main.ts", frames: "src/frames/index.ts" },
    outDir: "dist",
  },
  {
    ...common,
    entry: { index: "src/frames/index.ts", http2: "src/frames/http2/index.ts", hpack: "src/frames/hpack/index.ts" },
    outDir: "src/frames/dist",
    platform: "neutral",
  },
]);
