import { expect, test } from "vitest";

import { NoRecords } from "@/components/records/list/no-records";
import { markupOf } from "@/tests/components/support/app-router";

test("an empty list leads to the migration only if each migration imports such records", () => {
  expect(markupOf(<NoRecords resource="contacts" isNarrowed={false} />)).toContain('href="/migration"');
  const leads = markupOf(<NoRecords resource="leads" isNarrowed={false} />);
  expect(leads).not.toContain('href="/migration"');
  expect(leads).toContain('href="/leads/new"');
});
