import { expect, test } from "vitest";

import { estimateFiles, measureFiles } from "@/lib/migration/report/measures/measure-files";
import { SalesforceError } from "@/lib/salesforce/errors";
import { ScriptedSource, sourceRecord } from "@/tests/migration/support/scripted-source";

test("of many files the newest stand for all, and what the Salesforce user may not see counts nothing", async () => {
  const records = Array.from({ length: 2500 }, (_, index) => sourceRecord("00P", index, { BodyLength: index % 10 }));
  expect(await measureFiles(new ScriptedSource({ Attachment: records }), [])).toEqual({
    count: 2500,
    bytes: (2500 / 10) * 45,
    measured: "sampled",
  });
  expect(await measureFiles(new ScriptedSource({}), [])).toBeNull();
  const absurd = [-5, "x", 1e300, 2.5, null].map((BodyLength, index) => sourceRecord("00P", index, { BodyLength }));
  expect(await measureFiles(new ScriptedSource({ Attachment: absurd }), [])).toMatchObject({ count: 5, bytes: 0 });
});

test("what is in the recycle bin has no size, and what is archived has one", async () => {
  const living = sourceRecord("00P", 1, { BodyLength: 5 });
  const source = new ScriptedSource({
    Attachment: [living, sourceRecord("00P", 2, { BodyLength: 7, IsDeleted: true })],
  });
  const asked: string[] = [];
  const json = source.json.bind(source);
  source.json = (path, schema, options) => {
    asked.push(path);
    return json(path, schema, options);
  };
  expect(await measureFiles(source, [])).toEqual({ count: 1, bytes: 5, measured: "counted" });
  expect(asked.filter((path) => !path.includes("/queryAll?"))).toEqual([]);
});

const refuse = (part: string) => (soql: string) => {
  if (soql.includes(part)) throw new SalesforceError("source_error", "Too slow.", { status: 400 });
};

test("files that Salesforce cannot count or measure in time are reported all the same", async () => {
  const records = Array.from({ length: 3 }, (_, index) => sourceRecord("00P", index, { BodyLength: 5 }));
  const source = new ScriptedSource({ Attachment: records });
  source.beforeQuery = refuse("ORDER BY CreatedDate");
  const unsized = await measureFiles(source, []);
  expect(unsized).toEqual({ count: 3, bytes: null, measured: "sampled" });
  expect(unsized && estimateFiles(unsized, 0, 1000)).toMatchObject({ bytes: null, seconds: 4, api_calls: 3 });
  source.beforeQuery = refuse("COUNT()");
  const surveyed = [{ name: "Attachment", label: "Attachments", custom: false, count: 30, readable: true }];
  expect(await measureFiles(source, surveyed)).toEqual({ count: 30, bytes: 150, measured: "sampled" });
});
