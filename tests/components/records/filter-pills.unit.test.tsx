import { expect, test } from "vitest";

import { FilterPills } from "@/components/records/list/toolbar/filter-pills";
import { markupOf } from "@/tests/components/support/app-router";

const nothing = () => undefined;

test("a filter by a value that the address names twice names it once", () => {
  const filters = { status: "new,on_hold,new" };
  const pills = <FilterPills resource="cases" filters={filters} onChange={nothing} onLast={nothing} />;
  expect(markupOf(pills).replaceAll(/<[^>]*>/g, "")).toContain("Status: New, On holdShow all");
});
