import { expect, test } from "vitest";

import type { ReportFacts } from "@/lib/migration/report/facts";
import { richTextsIn } from "@/lib/migration/report/fields/rich-texts";
import { imagesInRichText } from "@/lib/migration/report/risks/rich-text";
import { sourceId } from "@/tests/migration/support/scripted-source";

const risksOf = (rich_texts?: object[]) =>
  imagesInRichText({ mappings: { Case: { fields: [], rich_texts } } } as unknown as ReportFacts);

const rich = (name: string) => ({ name, extraTypeInfo: "richtextarea" });

test("of fields with rich text those that sampled records fill are named, with a record that has an image", () => {
  const fields = [rich("Answer__c"), rich("Steps__c"), rich("Empty__c"), { name: "Notes__c", extraTypeInfo: null }];
  const image = '<img src="https://org.file.force.com/servlet/rtaImage?eid=500&amp;feoid=00N">';
  const records = [
    { Id: sourceId("500", 1), Answer__c: "<p>Seal</p>", Steps__c: "<b>1</b>", Empty__c: null, Notes__c: image },
    { Id: sourceId("500", 2), Answer__c: image, Steps__c: null, Empty__c: null, Notes__c: null },
  ];
  expect(richTextsIn(fields, records)).toEqual([
    { source: "Answer__c", image: sourceId("500", 2) },
    { source: "Steps__c", image: null },
  ]);
});

test("images in rich text are warned of with a record that has one; without any the fields are named", async () => {
  const texts = [
    { source: "Steps__c", image: null },
    { source: "Answer__c", image: sourceId("500", 1) },
  ];
  expect(await risksOf(texts)).toMatchObject([
    {
      severity: "warning",
      object: "Case",
      title: "Cases: images within rich text stay in Salesforce",
      detail: expect.stringMatching(/^Steps__c, Answer__c may contain images/),
      example: { object: "Case", ext_id: sourceId("500", 1), name: null },
    },
  ]);
  expect(await risksOf(texts.slice(0, 1))).toMatchObject([{ severity: "info", example: null }]);
  expect([await risksOf([]), await risksOf()]).toEqual([[], []]);
});
