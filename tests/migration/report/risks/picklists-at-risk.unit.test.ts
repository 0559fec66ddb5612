import { expect, test } from "vitest";

import type { ReportFacts } from "@/lib/migration/report/facts";
import { picklistValuesAtRisk } from "@/lib/migration/report/risks/picklists";

interface Value {
  source: string;
  count: number | null;
  active?: boolean;
  suggestion?: string | null;
}

const field = (label: string, values: Value[], picklist?: object, more: object = {}) => ({
  source: label,
  label,
  values: values.map((value) => ({ active: true, suggestion: null, ...value })),
  ...(picklist && { fit: { picklist } }),
  ...more,
});

async function risksOf(...fields: object[]) {
  return picklistValuesAtRisk({ mappings: { Case: { fields } } } as unknown as ReportFacts);
}

test("values that could not be counted are no values of 0 records", async () => {
  const totals = { unknown: null, unknown_values: 2 };
  const values = [
    { source: "Parked", count: null },
    { source: "Deferred", count: null },
  ];
  expect(await risksOf(field("Status", values, totals))).toMatchObject([
    {
      code: "picklist_values_unknown",
      count: null,
      title: "Cases: 2 picklist values have no equivalent",
      detail: expect.stringMatching(
        /^Status: “Parked”, “Deferred”\. .* marks as closed or converted get one that says/,
      ),
    },
  ]);
});

test("how many records have unknown values in one of two fields or in both is not known", async () => {
  const status = field("Status", [{ source: "Parked", count: 1000 }], { unknown: 1000, unknown_values: 1 });
  const priority = field("Priority", [{ source: "P5", count: 900 }], { unknown: 900, unknown_values: 1 });
  const [risk] = await risksOf(status, priority);
  expect(risk).toMatchObject({ count: null, title: "Cases: 2 picklist values have no equivalent" });
  expect((await risksOf(status))[0]?.count).toBe(1000);
});

test("values beyond the listed ones count as well", async () => {
  const totals = { unknown: 5200, unknown_values: 60 };
  const values = [{ source: "Parked", count: 12 }];
  expect(await risksOf(field("Status", values, totals, { more_values: 90 }))).toMatchObject([
    {
      count: 5200,
      title: "Cases: 60 picklist values have no equivalent",
      detail: expect.stringMatching(/^Status: “Parked”, …\./),
    },
  ]);
});

test("inactive values are counted unless the report does not list all values", async () => {
  const values = [{ source: "Old", count: 7, active: false, suggestion: "closed" }];
  const totals = { unknown: 0, unknown_values: 0 };
  expect(await risksOf(field("Status", values, totals))).toMatchObject([
    { code: "picklist_values_inactive", count: 7 },
  ]);
  expect((await risksOf(field("Status", values, totals, { more_values: 3 })))[0]?.count).toBeNull();
});
