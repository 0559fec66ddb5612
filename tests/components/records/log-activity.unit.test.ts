import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { fieldsOf, isBegun, isDone, timesOf } from "@/components/records/timeline/log-activity";
import { showTimesIn } from "@/components/ui/text/time-zone";

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-12-02T08:00:00.000Z") }));

afterEach(() => {
  vi.useRealTimers();
  showTimesIn(null);
});

const BLANK = { type: "call", subject: "", description: "", is_done: null, due_date: "", start_at: "" };

test("a task is due on a day, and what takes place at a time has that, in the time zone of the pages", () => {
  showTimesIn("Europe/Berlin");
  const given = { ...BLANK, due_date: "2026-12-01", start_at: "2026-12-02T00:30" };
  expect({ ...timesOf({ ...given, type: "task" }) }).toEqual({ due_date: "2026-12-01" });
  expect(timesOf(given)).toMatchObject({ start_at: "2026-12-01T23:30:00.000Z" });
  expect({ ...timesOf({ ...given, type: "note" }) }).toEqual({});
});

test("what is planned for a time is due on its day", () => {
  const planned = { ...BLANK, type: "event", is_done: false, start_at: "2026-12-02T09:00" };
  expect(timesOf(planned)).toMatchObject({ due_date: "2026-12-02" });
});

test("what is done was completed at its time, unless that lies ahead", () => {
  showTimesIn("Europe/Berlin");
  const moment = "2026-12-02T07:59:00.000Z";
  for (const type of ["call", "event", "email"])
    expect(timesOf({ ...BLANK, type, start_at: "2026-12-02T08:59" })).toEqual({
      start_at: moment,
      completed_at: moment,
    });
  const times = timesOf({ ...BLANK, is_done: true, start_at: "2026-12-02T09:01" });
  expect(times).toEqual({ start_at: "2026-12-02T08:01:00.000Z" });
});

test("a task and what lies ahead are not done, and the rest is, until the reader says otherwise", () => {
  showTimesIn("Europe/Berlin");
  const ahead = { ...BLANK, start_at: "2026-12-02T09:01" };
  for (const type of ["call", "event", "email", "note"]) expect(isDone({ ...BLANK, type })).toBe(true);
  expect(isDone({ ...BLANK, start_at: "2026-12-02T08:59" })).toBe(true);
  expect(isDone({ ...ahead, type: "note" })).toBe(true);
  expect(isDone({ ...BLANK, type: "task" })).toBe(false);
  expect(isDone(ahead)).toBe(false);
  for (const type of ["call", "task"]) {
    expect(isDone({ ...ahead, type, is_done: true })).toBe(true);
    expect(isDone({ ...BLANK, type, is_done: false })).toBe(false);
  }
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
