import { expect, test } from "vitest";

import type { Migration } from "@/lib/migration/migration-schema";
import { assertReconciled, reconciliationJson } from "@/scripts/demo/reconciliation-table";
import { Fault } from "@/scripts/service/fault";

test("a migration that does not reconcile can be told as JSON, and is a fault", () => {
  const migration = { migration_id: "m", status: "failed", reconciled: false, objects: [] } as unknown as Migration;
  expect(JSON.parse(reconciliationJson(migration, 1.26))).toEqual({
    migration_id: "m",
    status: "failed",
    reconciled: false,
    seconds: 1.3,
    objects: [],
  });
  expect(() => assertReconciled(migration)).toThrow(Fault);
  expect(() => assertReconciled({ reconciled: null })).toThrow(Fault);
  expect(() => assertReconciled({ reconciled: true })).not.toThrow();
});
