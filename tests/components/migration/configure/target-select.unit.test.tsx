import { expect, test } from "vitest";

import { type Editing, EditingContext } from "@/components/migration/configure/draft/use-draft";
import { TargetSelect } from "@/components/migration/configure/fields/target-select";
import { configurationSchema } from "@/lib/migration/configuration/configuration-schema";
import type { FieldReport } from "@/lib/migration/report/report-schema";
import { markupOf } from "@/tests/components/support/app-router";

const FIELD = { source: "BillingPostalCode", label: "Billing Zip", type: "string", target: "billing_postal_code" };

function select(fields: Record<string, string>): string {
  const editing = { draft: configurationSchema.parse({ objects: { Account: { fields } } }), isLocked: false };
  return markupOf(
    <EditingContext value={editing as unknown as Editing}>
      <TargetSelect object="Account" field={FIELD as unknown as FieldReport} />
    </EditingContext>,
  );
}

test("the suggested target says so only where another is chosen: the column has no room for both", () => {
  expect(select({})).toContain("Billing postal code<");
  expect(select({})).not.toContain("(suggested)");
  expect(select({ BillingPostalCode: "name" })).toContain("Billing postal code (suggested)");
});
