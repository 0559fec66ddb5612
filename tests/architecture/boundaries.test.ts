import { mkdir, rm, writeFile } from "node:fs/promises";

import { expect, test } from "vitest";

import { checkBoundaries } from "@/scripts/check-boundaries";

test("imports run one way, and the check has read the whole project", async () => {
  const { modules, violations } = await checkBoundaries();
  expect(violations).toEqual([]);
  expect(modules).toBeGreaterThan(250);
});

test("an import against the direction is found", async () => {
  const folder = "lib/records/boundary-probe";
  await mkdir(folder, { recursive: true });
  try {
    await writeFile(
      `${folder}/probe.ts`,
      'import { sha256 } from "@/lib/crypto";\nimport { GET } from "@/app/api/health/live/route";\nexport const probe = [sha256, GET];\n',
    );
    const { violations } = await checkBoundaries([folder]);
    expect(violations.some((violation) => violation.startsWith("records-imports-kernel-only"))).toBe(true);
  } finally {
    await rm(folder, { recursive: true });
  }
});
