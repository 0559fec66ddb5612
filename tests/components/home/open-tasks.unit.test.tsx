import { QueryClient } from "@tanstack/react-query";
import { expect, test } from "vitest";

import { queryKeys } from "@/components/api/query-keys";
import { firstDue, OpenTasks } from "@/components/home/open-tasks";
import type { AnyRecord } from "@/components/records/record";
import { markupOf } from "@/tests/components/support/app-router";

const task = (id: string, due_date: string | null): AnyRecord => ({
  id,
  created_at: "2026-01-01T00:00:00.000Z",
  custom_fields: {},
  subject: `Task ${id}`,
  due_date,
});

function textOf(tasks: AnyRecord[]): string {
  const queries = new QueryClient();
  queries.setQueryData(queryKeys.openTasks("u1"), tasks);
  return markupOf(<OpenTasks userId="u1" />, queries).replaceAll(/<[^>]*>/g, " ");
}

test("tasks of all statuses are listed by the day on which they are due, those without one last", () => {
  const listed = firstDue([task("a", "2026-12-02"), task("b", null), task("c", "2026-12-01")]);
  expect(listed.map(({ id }) => id)).toEqual(["c", "a", "b"]);
  expect(firstDue(Array.from({ length: 40 }, (_, index) => task(`${index}`, null)))).toHaveLength(10);
});

test("the start page says what is overdue, what is due and when there is nothing to do", () => {
  expect(textOf([task("a", "2020-01-02"), task("b", "2999-01-02")])).toMatch(
    /Task a\s+Overdue since Jan 2, 2020\s+Task b\s+Due Jan 2, 2999/,
  );
  expect(textOf([])).toContain("You have no open tasks.");
});

test("the start page says that it shows only the first of many tasks", () => {
  const tasks = Array.from({ length: 11 }, (_, index) => task(`${index}`, null));
  expect(textOf(tasks)).toMatch(/The first 10\b/);
  expect(textOf(tasks).match(/Task \d+/g)).toHaveLength(10);
  expect(textOf(tasks.slice(1))).not.toContain("The first");
});
