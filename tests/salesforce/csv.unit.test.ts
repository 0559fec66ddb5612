import * as fc from "fast-check";
import { expect, test } from "vitest";

import { CsvReader } from "@/lib/salesforce/csv";

function readAll(columns: number, pieces: readonly string[]): string[][] {
  const csv = new CsvReader(columns);
  return [...pieces.flatMap((piece) => csv.push(piece)), ...csv.end()];
}

function cut(text: string, places: readonly number[]): string[] {
  const ends = [...places.map((place) => place % (text.length + 1)), text.length].toSorted((a, b) => a - b);
  return ends.map((end, n) => text.slice(n === 0 ? 0 : ends[n - 1], end));
}

const cell = fc.string({ unit: fc.constantFrom("a", '"', ",", "\n", "\r", "é", "😀", " ") });

test("whatever cells contain, and wherever the pieces are cut, they come out as they went in", () => {
  const table = fc
    .integer({ min: 1, max: 4 })
    .chain((columns) =>
      fc.tuple(
        fc.constant(columns),
        fc.array(fc.array(cell, { minLength: columns, maxLength: columns }), { minLength: 1, maxLength: 8 }),
      ),
    );
  fc.assert(
    fc.property(
      table,
      fc.constantFrom("\n", "\r\n"),
      fc.boolean(),
      fc.array(fc.nat({ max: 300 }), { maxLength: 20 }),
      ([columns, rows], ending, ended, places) => {
        const lines = rows.map((row) => row.map((value) => `"${value.replaceAll('"', '""')}"`).join(","));
        const text = lines.join(ending) + (ended ? ending : "");
        expect(readAll(columns, cut(text, places))).toEqual(rows);
      },
    ),
    { numRuns: 2000 },
  );
});

test("cells without quotes are read as well", () => {
  expect(readAll(3, ["Id,Na", "me,\r", "\n001,,x\n"])).toEqual([
    ["Id", "Name", ""],
    ["001", "", "x"],
  ]);
});

test.each([
  ["a quote in a cell without quotes", 'a"b,c\n'],
  ["text behind a closing quote", '"a"b\n'],
  ["a quote that is never closed", '"a\n'],
  ["more cells than columns", '"a","b","c"\n'],
])("%s is refused", (_fault, text) => {
  expect(() => readAll(2, [text])).toThrow("It is not the CSV that was requested.");
});

test("a row without end is refused at its bound, in linear time", () => {
  const csv = new CsvReader(2);
  const piece = "x".repeat(64 * 1024);
  csv.push('"');
  expect(() => {
    for (let n = 0; n < 1000; n += 1) csv.push(piece);
  }).toThrow("too long");
});
