import { QueryClient } from "@tanstack/react-query";
import { expect, test } from "vitest";

import { queryKeys } from "@/components/api/query-keys";
import { MyOpenCases, MyOpenTasks } from "@/components/home/my-open-records";
import type { AnyRecord } from "@/components/records/record";
import { markupOf } from "@/tests/components/support/app-router";

const record = (id: string, fields: object): AnyRecord => ({
  id,
  created_at: "2026-01-01T00:00:00.000Z",
  custom_fields: {},
  subject: `Record ${id}`,
  ...fields,
});

const due = (id: string, due_date: string | null) => record(id, { due_date });

function markup(resource: "activities" | "cases", data: AnyRecord[]): string {
  const queries = new QueryClient();
  queries.setQueryData(queryKeys.myOpen(resource), { data });
  return markupOf(resource === "cases" ? <MyOpenCases /> : <MyOpenTasks />, queries);
}

function textOf(...given: Parameters<typeof markup>): string {
  return markup(...given).replaceAll(/<[^>]*>/g, " ");
}

test("the start page says what is overdue, what is due and when there is nothing to do", () => {
  expect(textOf("activities", [due("a", "2020-01-02"), due("b", "2999-01-02"), due("c", null)])).toMatch(
    /Record a\s+Overdue since Jan 2, 2020\s+Record b\s+Due Jan 2, 2999\s+Record c\s*$/,
  );
  expect(textOf("activities", [])).toContain("You have no open tasks.");
});

test("the start page says how urgent the reader's open cases are, and how they stand", () => {
  const cases = [record("a", { priority: "urgent", status: "waiting_on_customer" })];
  expect(textOf("cases", cases)).toMatch(/Record a\s+Urgent · Waiting on customer/);
  expect(textOf("cases", [])).toContain("You have no open cases.");
});

test("the start page says that it shows only the first of many tasks", () => {
  const tasks = Array.from({ length: 11 }, (_, index) => due(`${index}`, null));
  expect(textOf("activities", tasks)).toMatch(/The first 10\b/);
  expect(textOf("activities", tasks).match(/Record \d+/g)).toHaveLength(10);
  expect(textOf("activities", tasks.slice(1))).not.toContain("The first");
});

test("the start page leads to all of the reader's records that are open, and to no others", () => {
  expect(markup("activities", [])).toContain(
    'href="/activities?owner_id=me&amp;status=not_started,in_progress,waiting,deferred&amp;sort=due_date"',
  );
  expect(markup("cases", [])).toContain(
    'href="/cases?owner_id=me&amp;status=new,in_progress,waiting_on_customer,on_hold,escalated"',
  );
});
