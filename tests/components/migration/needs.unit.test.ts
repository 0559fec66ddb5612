import { expect, test } from "vitest";

import { needsOf } from "@/components/migration/needs";
import { configurationSchema } from "@/lib/migration/configuration/configuration-schema";
import type { Report } from "@/lib/migration/report/report-schema";

const OBJECTS = [
  { object: "Account", records: 100, seconds: 2, api: "rest", api_calls: { rest: 5, bulk: 8 } },
  { object: "Task", records: 9000, seconds: 60, api: "bulk", api_calls: { rest: 90, bulk: 10 } },
];

const report = {
  inventory: OBJECTS.map(({ object, records }) => ({ object, status: "automatic", count: records })),
  estimate: { timeline: OBJECTS, api_calls: 22, files: { count: 4, api_calls: 6, seconds: 30, bytes: 1 } },
} as unknown as Report;

const needs = (choices: object) => needsOf(report, configurationSchema.parse(choices));

test("a run needs the records, the time and the requests of its objects, and the requests around them", () => {
  expect(needs({})).toEqual({ records: 9100, seconds: 62, requests: 22 });
});

test("a deselected object needs nothing", () => {
  expect(needs({ objects: { Task: { selected: false } } })).toEqual({ records: 100, seconds: 2, requests: 12 });
});

test("the requests are those of the API that was chosen", () => {
  expect(needs({ objects: { Task: { api: "rest" } } }).requests).toBe(102);
});

test("files that are copied count with their requests", () => {
  expect(needs({ files: { copy: true } })).toEqual({ records: 9100, seconds: 62, requests: 28 });
});

test("what an older report does not tell is not known", () => {
  const [account] = OBJECTS;
  const older = { ...report, estimate: { ...report.estimate, timeline: [{ ...account, api_calls: undefined }] } };
  expect(needsOf(older as unknown as Report, configurationSchema.parse({})).requests).toBeNull();
});
