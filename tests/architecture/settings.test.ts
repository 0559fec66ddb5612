import { globSync, readFileSync } from "node:fs";

import { expect, test } from "vitest";

/** lib/env.ts validates the settings; instrumentation.ts asks for a constant that Next writes in at build time. */
const READERS = ["instrumentation.ts", "lib/env.ts"];
/** Configurations of tools, which run outside of the service, like the commands in scripts and the tests. */
const OUTSIDE = ["{playwright,postcss,prisma,vitest}.config.*", "next-env.d.ts"];

test("only lib/env.ts reads the environment", () => {
  const code = globSync(["*.{ts,mjs}", "{app,components,inngest,lib}/**/*.{ts,tsx,mjs,js}"], {
    exclude: ["lib/generated/**", ...OUTSIDE],
  });
  expect(code.length).toBeGreaterThan(200);
  // Destructuring or indexing the process is a way around that nobody needs.
  const readers = code.filter((file) =>
    /process\s*\??\.\s*env\b|process\[|\{[^}]*\benv\b[^}]*\}\s*=\s*process\b/.test(readFileSync(file, "utf8")),
  );
  expect(readers.toSorted()).toEqual(READERS);
});
