import { expect, test } from "vitest";

import { picklistOf } from "@/components/migration/configure/values/picklist";
import type { FieldReport } from "@/lib/migration/report/report-schema";

test("a value that is a code is shown with its label, and means what that says", () => {
  const values = [
    { source: "20", label: "On hold", count: 3, active: true, suggestion: null },
    { source: "Closed", count: 1, active: true, suggestion: null },
  ];
  const field = { source: "Status", target: "status", values } as unknown as FieldReport;
  expect(picklistOf("Case", field, { fields: {}, values: {} })).toMatchObject({
    values: [
      { source: "20", label: "On hold", suggestion: "on_hold" },
      { source: "Closed", label: null, suggestion: "closed" },
    ],
    open: 0,
  });
});
