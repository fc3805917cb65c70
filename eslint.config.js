// Biome formats and lints. ESLint adds only the three typed rules that Biome misses.
import tseslint from "typescript-eslint";

export default [
  { ignores: ["**/dist/**", "build/**", "coverage/**", "**/*.js", "**/*.mjs", "*.config.ts"] },
  {
    files: ["src/**/*.ts", "test/**/*.ts"],
    languageOptions: {
      parser: tseslint.parser,
      parserOptions: {
        project: ["./src/frames/tsconfig.json", "./tsconfig.src.json", "./tsconfig.test.json"],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    plugins: { "@typescript-eslint": tseslint.plugin },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      // node:test reports the promise of test(), suite() and friends itself.
      "@typescript-eslint/no-floating-promises": [
        "error",
        { allowForKnownSafeCalls: [{ from: "package", package: "node:test", name: ["test", "it", "describe", "suite"] }] },
      ],
      "@typescript-eslint/no-misused-promises": "error",
      "@typescript-eslint/switch-exhaustiveness-check": "error",
    },
  },
];
