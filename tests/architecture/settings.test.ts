import { globSync, readFileSync } from "node:fs";

import { expect, test } from "vitest";

/** lib/env.ts validates the settings; instrumentation.ts reads a constant that Next inserts at build time. */
const READERS = ["instrumentation.ts", "lib/env.ts"];
/** Configurations of tools, which run outside of the service, as scripts and tests do. */
const OUTSIDE = ["{playwright,postcss,prisma,vitest}.config.*", "next-env.d.ts"];

test("only lib/env.ts reads the environment", () => {
  const code = globSync(["*.{ts,mjs}", "{app,components,inngest,lib}/**/*.{ts,tsx,mjs,js}"], {
    exclude: ["lib/generated/**", ...OUTSIDE],
  });
  expect(code.length).toBeGreaterThan(200);
  // Destructuring or indexing `process` would be a way around, which nobody needs.
  const readers = code.filter((file) =>
    /process\s*\??\.\s*env\b|process\[|\{[^}]*\benv\b[^}]*\}\s*=\s*process\b/.test(readFileSync(file, "utf8")),
  );
  expect(readers.toSorted()).toEqual(READERS);
});
