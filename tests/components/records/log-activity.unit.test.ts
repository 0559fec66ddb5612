import { afterEach, expect, test } from "vitest";

import { fieldsOf, isBegun, timesOf } from "@/components/records/timeline/log-activity";
import { showTimesIn } from "@/components/ui/text/time-zone";

afterEach(() => showTimesIn(null));

const BLANK = { type: "call", subject: "", description: "", is_done: true, due_date: "", start_at: "" };

test("a task is due on a day, and what takes place at a time has that, in the time zone of the pages", () => {
  showTimesIn("Europe/Berlin");
  const given = { ...BLANK, due_date: "2026-12-01", start_at: "2026-12-02T00:30" };
  expect({ ...timesOf({ ...given, type: "task" }) }).toEqual({ due_date: "2026-12-01" });
  expect(timesOf(given)).toEqual({ start_at: "2026-12-01T23:30:00.000Z" });
  expect({ ...timesOf({ ...given, type: "note" }) }).toEqual({});
});

test("what is planned for a time is due on its day", () => {
  const planned = { ...BLANK, type: "event", is_done: false, start_at: "2026-12-02T09:00" };
  expect(timesOf(planned)).toMatchObject({ due_date: "2026-12-02" });
});

test("an activity without a time has none", () => {
  for (const type of ["task", "call", "note"]) expect({ ...timesOf({ ...BLANK, type }) }).toEqual({});
});

test("a form is begun once a word or a time is typed that it still shows", () => {
  expect(isBegun(BLANK)).toBe(false);
  expect(isBegun({ ...BLANK, is_done: false })).toBe(false);
  expect(isBegun({ ...BLANK, description: "They called." })).toBe(true);
  expect(isBegun({ ...BLANK, start_at: "2026-12-02T09:00" })).toBe(true);
  expect(isBegun({ ...BLANK, type: "task", due_date: "2026-12-02" })).toBe(true);
  expect(isBegun({ ...BLANK, type: "note", start_at: "2026-12-02T09:00" })).toBe(false);
});

test("only a field that the form shows can have a fault at its input", () => {
  expect(fieldsOf("call")).toEqual(["type", "subject", "description", "is_done", "start_at"]);
  expect(fieldsOf("task")).toEqual(["type", "subject", "description", "is_done", "due_date"]);
  expect(fieldsOf("note")).toEqual(["type", "subject", "description", "is_done"]);
});
