import { globSync, readFileSync } from "node:fs";

import { expect, test } from "vitest";

/** lib/env.ts validates the settings; instrumentation.ts reads a constant that Next inserts at build time. */
const READERS = ["instrumentation.ts", "lib/env.ts"];
/** Configurations of tools, which run outside of the service, as scripts and tests do. */
const OUTSIDE = ["{playwright,postcss,prisma,vitest}.config.*", "next-env.d.ts"];
/** The text of a program of the customer's own. */
const SHOWN = "components/settings/webhooks/example/node-receiver.ts";

/** Destructuring, indexing or importing `process` would be ways around, which nobody needs. */
const READS_SETTINGS = new RegExp(
  [
    String.raw`process\s*\??\.\s*env\b|process\[`,
    String.raw`\{[^}]*\benv\b[^}]*\}\s*=\s*process\b`,
    String.raw`["'](?:node:)?process["']`,
  ].join("|"),
);

test("only lib/env.ts reads the environment", () => {
  const code = globSync(["*.{ts,mjs}", "{app,components,inngest,lib}/**/*.{ts,tsx,mjs,js}"], {
    exclude: ["lib/generated/**", ...OUTSIDE, SHOWN],
  });
  expect(code.length).toBeGreaterThan(200);
  const readers = code.filter((file) => READS_SETTINGS.test(readFileSync(file, "utf8")));
  expect(readers.toSorted()).toEqual(READERS);
});
