import { expect, test } from "vitest";

import { type Editing, EditingContext } from "@/components/migration/configure/draft/use-draft";
import { picklistOf } from "@/components/migration/configure/values/picklist";
import { PicklistValues } from "@/components/migration/configure/values/picklist-values";
import type { FieldReport } from "@/lib/migration/report/report-schema";
import { markupOf } from "@/tests/components/support/app-router";

const NOTE = "if Salesforce counts it as closed";

function shown(object: "Case" | "Task", source: string, target: string, value: string, fields = {}): string {
  const values = [{ source: value, count: 3, active: true, suggestion: null }];
  const field = { source, label: source, target, values } as unknown as FieldReport;
  const list = picklistOf(object, field, { fields, values: {} });
  if (!list) throw new Error("The field has no values to choose.");
  const editing = { isLocked: false, change: () => undefined };
  return markupOf(
    <EditingContext value={editing as unknown as Editing}>
      <PicklistValues list={list} />
    </EditingContext>,
  );
}

test("the suggestion for a status can be chosen, since it counts only if Salesforce agrees", () => {
  const status = shown("Case", "Status", "status", "Pending Closure");
  expect(status).toContain("Closed (suggested)");
  expect(status).toContain('value="closed"');
  expect(status).toContain(NOTE);
  expect(shown("Task", "Status", "status", "Done")).toContain(NOTE);
});

test("where the suggestion counts for every record, it is offered once", () => {
  for (const markup of [
    shown("Case", "Priority", "priority", "High"),
    shown("Case", "Stage__c", "custom_fields", "Closed", { Stage__c: "status" }),
  ]) {
    expect(markup).not.toContain(NOTE);
    expect(markup.match(/>(High|Closed)( \(suggested\))?<\/option>/g)).toHaveLength(1);
  }
});
