import { readdirSync } from "node:fs";

import { expect, test } from "vitest";

import { RELEASE_MIGRATIONS } from "@/lib/database/release-migrations";

test("a built service knows every migration of its release", () => {
  const folders = readdirSync("prisma/migrations", { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(RELEASE_MIGRATIONS, "add it to lib/database/release-migrations.ts").toEqual(
    folders.map(({ name }) => name).toSorted(),
  );
});
