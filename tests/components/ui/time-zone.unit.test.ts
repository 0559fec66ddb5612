import { afterEach, expect, test } from "vitest";

import { formatClock, formatDayName, formatMoment } from "@/components/ui/text/format";
import { fromLocalTime, isOtherTimeZone, showTimesIn, startOfDay, toLocalTime } from "@/components/ui/text/time-zone";

afterEach(() => showTimesIn(null));

const LATE = "2026-07-01T22:30:00.000Z";

test("moments and days are written in the organization's time zone", () => {
  showTimesIn("Europe/Berlin");
  expect(formatMoment(LATE)).toContain("Jul 2, 2026");
  expect(formatClock(LATE)).toMatch(/^12:30\sAM$/);
  expect(formatDayName(LATE, new Date("2026-07-02T10:00:00Z"))).toBe("Today");
  showTimesIn("America/New_York");
  expect(formatMoment(LATE)).toContain("Jul 1, 2026");
  expect(formatDayName(LATE, new Date("2026-07-02T10:00:00Z"))).toBe("Yesterday");
});

test("a time zone is another than the reader's only where its clocks show another time at the moment", () => {
  expect(isOtherTimeZone("Europe/Berlin", [LATE], "America/New_York")).toBe(true);
  expect(isOtherTimeZone("Europe/Berlin", [LATE], "Europe/Berlin")).toBe(false);
  expect(isOtherTimeZone("Asia/Kolkata", [LATE], "Asia/Calcutta")).toBe(false);
  expect(isOtherTimeZone("Europe/Berlin", [LATE], "Europe/Vienna")).toBe(false);
  // Phoenix has no summer time.
  expect(isOtherTimeZone("America/Denver", ["2026-01-15T12:00:00Z"], "America/Phoenix")).toBe(false);
  expect(isOtherTimeZone("America/Denver", ["2026-01-15T12:00:00Z", LATE], "America/Phoenix")).toBe(true);
});

test.each(["Europe/Berlin", "America/New_York", "Asia/Kathmandu", "UTC"])(
  "what an input shows in %s is the moment that it stands for",
  (zone) => {
    showTimesIn(zone);
    for (const moment of [LATE, "2026-01-15T05:00:00.000Z", "2026-03-29T00:30:00.000Z", "2026-03-29T01:30:00.000Z"])
      expect(fromLocalTime(toLocalTime(moment))).toBe(moment);
  },
);

test("an input is read with the offset of its own day", () => {
  showTimesIn("Europe/Berlin");
  expect(fromLocalTime("2026-07-01T09:00")).toBe("2026-07-01T07:00:00.000Z");
  expect(fromLocalTime("2026-12-01T09:00")).toBe("2026-12-01T08:00:00.000Z");
  expect(fromLocalTime("soon")).toBe("soon");
});

test.each([
  // The clocks skip this time.
  ["America/New_York", "2026-03-08T02:30", "2026-03-08T07:30:00.000Z"],
  ["Europe/Berlin", "2026-03-29T02:30", "2026-03-29T01:30:00.000Z"],
  // They show it twice.
  ["America/New_York", "2026-11-01T01:30", "2026-11-01T05:30:00.000Z"],
  ["Europe/Berlin", "2026-10-25T02:30", "2026-10-25T00:30:00.000Z"],
])("near a change of the clocks in %s, %s is read as %s", (zone, local, moment) => {
  showTimesIn(zone);
  expect(fromLocalTime(local)).toBe(moment);
});

test.each([
  ["Europe/Berlin", "2026-07-01", "2026-06-30T22:00:00.000Z"],
  // The clocks change in the night after, and in the night before.
  ["Europe/Berlin", "2026-03-29", "2026-03-28T23:00:00.000Z"],
  ["Europe/Berlin", "2026-03-30", "2026-03-29T22:00:00.000Z"],
  ["Europe/Berlin", "2026-10-26", "2026-10-25T23:00:00.000Z"],
  // At midnight itself: there is none, and there are two.
  ["Asia/Beirut", "2026-03-29", "2026-03-28T22:00:00.000Z"],
  ["America/Havana", "2026-11-01", "2026-11-01T04:00:00.000Z"],
  ["Asia/Kathmandu", "2026-01-01", "2025-12-31T18:15:00.000Z"],
  ["UTC", "2026-01-01", "2026-01-01T00:00:00.000Z"],
])("in %s the day %s begins at %s", (zone, day, moment) => {
  expect(startOfDay(day, zone)).toBe(moment);
});
