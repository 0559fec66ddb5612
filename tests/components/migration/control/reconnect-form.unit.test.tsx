import { expect, test } from "vitest";

import { Connected } from "@/components/migration/control/reconnect-form";
import type { Migration } from "@/lib/migration/migration-schema";
import { markupOf } from "@/tests/components/support/app-router";

const shown = (migration: object) =>
  markupOf(<Connected migration={migration as Migration} onClose={() => undefined} />);

test("with new access, a run that stopped is to be run again, but not what an undo that stopped has taken out", () => {
  expect(shown({ status: "failed", undo: null })).toContain("Run the migration again");
  expect(shown({ status: "failed", undo: { failed: true } })).not.toContain("Run the migration again");
  expect(shown({ status: "running", undo: null })).not.toContain("Run the migration again");
});
