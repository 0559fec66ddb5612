import { expect, test } from "vitest";

import { readByFields } from "@/lib/migration/pipeline/read/split-by-fields";
import { SalesforceError } from "@/lib/salesforce/errors";
import type { SourceRecord } from "@/lib/salesforce/query";

const FIELDS = ["Id", "A", "B", "C", "D", "E"];
const idOf = (number: number) => `001M0000000000${number}AAA`;
const recordsOf = (count: number): SourceRecord[] =>
  Array.from({ length: count }, (_, index) => ({
    Id: idOf(index + 1),
    SystemModstamp: "1",
    ...Object.fromEntries(FIELDS.slice(1).map((field) => [field, `${field}${index + 1}`])),
  }));

/** A source that refuses more than `most` fields and gives at most `page` records. */
function sourceOf(records: SourceRecord[], { most = 5, page = 9 } = {}) {
  const asked: string[][] = [];
  const watcher = { answered: (): void => undefined };
  const ask = async (fields: readonly string[], conditions: readonly string[]) => {
    asked.push([...fields]);
    if (fields.length > most)
      throw new SalesforceError("source_error", "Too many.", { status: 400, errorCode: "QUERY_TOO_COMPLICATED" });
    const within = records.filter(({ Id }) =>
      conditions.every((condition) => {
        const [, sign, id = ""] = /^Id (.{1,2}) '(\w+)'$/.exec(condition) ?? [];
        const at = String(Id).localeCompare(id);
        return sign === ">=" ? at >= 0 : sign === "<=" ? at <= 0 : sign === ">" ? at > 0 : at < 0;
      }),
    );
    const answer = within
      .slice(0, page)
      .map((record) => Object.fromEntries(fields.map((field) => [field, record[field]])));
    watcher.answered();
    return { records: answer, done: within.length <= page };
  };
  return { ask, asked, records, onAnswer: (then: () => void) => (watcher.answered = then) };
}

const values = (records: readonly SourceRecord[]) => records.map((record) => ({ ...record, SystemModstamp: null }));

test("what one query can read is read by one, with nothing added", async () => {
  const { ask, asked } = sourceOf(recordsOf(3), { most: 6 });
  const split = {};
  expect(await readByFields(split, FIELDS, ask)).toMatchObject({ done: true });
  expect([asked, split]).toEqual([[FIELDS], {}]);
});

test.each([
  { name: "ascending", records: recordsOf(6) },
  { name: "descending", records: recordsOf(6).toReversed() },
])("too many fields are read in parts that are joined by Id, and are remembered ($name)", async ({ records }) => {
  const source = sourceOf(records, { most: 4 });
  const split = {};
  const page = await readByFields(split, FIELDS, source.ask);
  expect(values(page.records)).toEqual(values(records));
  expect([page.done, split]).toEqual([true, { parts: 4 }]);
  const before = source.asked.length;
  await readByFields(split, FIELDS, source.ask);
  expect(source.asked.length - before).toBe(4);
});

test("parts whose answers end early are read on, and the page ends where the first part ended", async () => {
  let pages = 0;
  const source = sourceOf(recordsOf(8), { page: 5 });
  const uneven = async (fields: readonly string[], conditions: readonly string[]) => {
    const { records, done } = await source.ask(fields, conditions);
    pages += 1;
    return fields.includes("A") ? { records, done } : { records: records.slice(0, 2), done: records.length <= 2 };
  };
  const page = await readByFields({ parts: 2 }, FIELDS, uneven);
  expect(values(page.records)).toEqual(values(source.records.slice(0, 5)));
  expect(page.done).toBe(false);
  expect(pages).toBe(4);
});

test("a record that is changed between two parts is read again, one that is purged is left out", async () => {
  const changed = sourceOf(recordsOf(3));
  let answers = 0;
  changed.onAnswer(() => {
    answers += 1;
    if (answers === 1) Object.assign(changed.records[1] ?? {}, { A: "new", E: "new", SystemModstamp: "2" });
  });
  const page = await readByFields({ parts: 2 }, FIELDS, changed.ask);
  expect(values(page.records)).toEqual(values(changed.records));
  expect(page.records[1]).toMatchObject({ A: "new", E: "new" });

  const purged = sourceOf(recordsOf(3));
  purged.onAnswer(() => {
    if (purged.records.length === 3) purged.records.pop();
  });
  const rest = await readByFields({ parts: 2 }, FIELDS, purged.ask);
  expect(values(rest.records)).toEqual(values(recordsOf(2)));
  // The page after it must be asked for: it is not short because the source has no more.
  expect(rest.done).toBe(false);
});

test("records that change all the time, and fields that are refused one by one, are errors", async () => {
  const restless = sourceOf(recordsOf(2));
  let stamp = 1;
  restless.onAnswer(() => Object.assign(restless.records[0] ?? {}, { SystemModstamp: String((stamp += 1)) }));
  await expect(readByFields({ parts: 2 }, FIELDS, restless.ask)).rejects.toMatchObject({ transient: true });
  await expect(readByFields({}, FIELDS, sourceOf(recordsOf(2), { most: 0 }).ask)).rejects.toMatchObject({
    errorCode: "QUERY_TOO_COMPLICATED",
  });
});

test("a statement longer than Salesforce takes is divided before it is refused", async () => {
  const fields = ["Id", ...Array.from({ length: 3000 }, (_, index) => `${"X".repeat(35)}${index}__c`)];
  const source = sourceOf([], { most: 10_000 });
  await readByFields({}, fields, source.ask);
  expect(source.asked.every((asked) => asked.join(", ").length < 95_000)).toBe(true);
});
