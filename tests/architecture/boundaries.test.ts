import { mkdir, rm, writeFile } from "node:fs/promises";

import { afterEach, beforeEach, expect, test } from "vitest";

import { checkBoundaries, minModules } from "@/scripts/verify/check-boundaries";

// Rules apply by folder, so a probe must be in the folder. Git ignores it, and the next run removes leftovers of a
// killed one.
const PROBES = ["lib/records/.boundary-probe", "components/.boundary-probe"];

async function removeProbes(): Promise<void> {
  for (const folder of PROBES) await rm(folder, { recursive: true, force: true });
}

beforeEach(removeProbes);
afterEach(removeProbes);

// That there is none, `npm run verify` finds, with which `npm test` begins.
test("a check that reads hardly anything is noticed", () => {
  expect(minModules()).toBeGreaterThan(250);
});

test.each([
  [
    "lib/records/.boundary-probe",
    "@/lib/security/crypto",
    "@/app/api/health/live/route",
    "records-imports-kernel-only",
  ],
  [
    "components/.boundary-probe",
    "@/lib/records/schema/resources",
    "@/lib/security/throttle",
    "components-run-in-the-browser",
  ],
])("an import against the direction is found in %s", async (folder, allowed, refused, rule) => {
  await mkdir(folder, { recursive: true });
  await writeFile(
    `${folder}/probe.ts`,
    `import * as one from "${allowed}";\nimport * as other from "${refused}";\nexport const probe = [one, other];\n`,
  );
  const { violations } = await checkBoundaries([folder]);
  const found = violations.filter((violation) => violation.includes("probe.ts"));
  expect(found.some((violation) => violation.startsWith(rule))).toBe(true);
  expect(found.filter((violation) => !violation.includes(refused.slice(2)))).toEqual([]);
});
