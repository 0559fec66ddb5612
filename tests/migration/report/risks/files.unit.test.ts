import { expect, test } from "vitest";

import { formatBytes, formatEstimate } from "@/components/ui/text/format";
import type { ReportFacts } from "@/lib/migration/report/facts";
import { ScriptedSource } from "@/tests/migration/support/scripted-source";
import { files } from "@/lib/migration/report/risks/files";

const FOUND = { count: 12, bytes: 1_940_000, seconds: 20, measured: "counted" };

const surveyed = (name: string, count: number | null) => ({ name, label: name, custom: name.endsWith("__c"), count });

const clientOf = (PermissionsQueryAllFiles: boolean) =>
  new ScriptedSource({ UserPermissionAccess: [{ Id: "1", PermissionsQueryAllFiles }] });

const factsOf = (found: object | null, ...objects: object[]) =>
  ({ client: clientOf(true), estimate: { files: found }, survey: { objects } }) as unknown as ReportFacts;

test("the risk about files tells their size and time as the timeline does", async () => {
  const [risk] = await files(factsOf(FOUND));
  const detail = risk?.detail;
  expect(detail).toContain(`12 attachments and files, ${formatBytes(FOUND.bytes)}. `);
  expect(detail).toContain(`Copying each once would take ${formatEstimate(FOUND.seconds)} after`);
  expect(detail).toContain("1.94 MB");
  expect(detail).toContain("Of each file only its latest version is copied.");
});

test("files are no records: their number and that of documents stand in the text", async () => {
  const [risk] = await files(factsOf(FOUND, surveyed("Document", 3)));
  expect(risk).toMatchObject({
    count: null,
    detail: expect.stringContaining("3 documents of folders are not copied."),
  });
});

test("files without known sizes, or that could not be counted at all, are warned of", async () => {
  const [unsized] = await files(factsOf({ ...FOUND, bytes: null, measured: "sampled" }));
  expect(unsized?.detail).toContain("12 attachments and files. Copying");
  const [uncounted] = await files(factsOf(null, surveyed("ContentDocument", null)));
  expect(uncounted).toMatchObject({
    severity: "warning",
    title: "Files stay in Salesforce unless you have them copied",
    detail: expect.stringContaining("could not be counted"),
  });
  expect(await files(factsOf(null, surveyed("ContentDocument", 0)))).toEqual([]);
  expect(await files(factsOf(null))).toEqual([]);
});

test("a user who sees no files is warned of them, unless the user would see all", async () => {
  const none = { ...FOUND, count: 0, bytes: 0 };
  const [risk] = await files({ ...factsOf(none), client: clientOf(false) });
  expect(risk?.detail).toMatch(/of which the Salesforce user sees none\. .*there may be more\.$/);
  expect(await files(factsOf(none))).toEqual([]);
});
