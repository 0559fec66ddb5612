import { assert, constantFrom, integer, property } from "fast-check";
import { expect, test } from "vitest";

import { countOf, recordAt } from "@/sandbox-org/generator/record-at";
import type { Json } from "@/sandbox-org/schema/field";
import { isHardDeleted } from "@/sandbox-org/soql/restrictions";

import { refused, run, SEED, SIZE, type Row } from "./support/run-soql";

/** Every record, which tests filter in plain JavaScript and compare with the answers. */
const truth = (object: string): Row[] =>
  Array.from({ length: countOf(SEED, SIZE, object).total }, (_, n) => recordAt(SEED, SIZE, object, n));
const contacts = truth("Contact");
const kept = contacts.filter((row) => row["IsDeleted"] === false);
const idsOf = (rows: Row[]): Json[] => rows.map((row) => row["Id"] ?? null);
const text = (value: Json | undefined): string => String(value ?? "").toLowerCase();

const FILTERS: readonly (readonly [where: string, test: (row: Row) => boolean])[] = [
  ["LastName = 'smith'", (row) => row["LastName"] === "Smith"],
  ["LastName != 'Smith'", (row) => row["LastName"] !== "Smith"],
  ["FirstName = null", (row) => row["FirstName"] === null],
  ["FirstName != null", (row) => row["FirstName"] !== null],
  ["FirstName = ''", (row) => row["FirstName"] === null],
  ["LastName = 'O\\'Brien'", (row) => row["LastName"] === "O'Brien"],
  ["LastName IN ('Li', 'ng', 'Wu')", (row) => ["Li", "Ng", "Wu"].includes(String(row["LastName"]))],
  ["LastName NOT IN ('Li', 'Ng')", (row) => !["Li", "Ng"].includes(String(row["LastName"]))],
  ["Email LIKE '%@EXAMPLE.com'", (row) => text(row["Email"]).endsWith("@example.com")],
  ["LastName LIKE '_i'", (row) => [...text(row["LastName"])].length === 2 && text(row["LastName"]).endsWith("i")],
  ["DoNotCall = true", (row) => row["DoNotCall"] === true],
  ["Shoe_Size__c > 40.5", (row) => row["Shoe_Size__c"] !== null && Number(row["Shoe_Size__c"]) > 40.5],
  ["Shoe_Size__c <= 36", (row) => row["Shoe_Size__c"] !== null && Number(row["Shoe_Size__c"]) <= 36],
  ["Birthdate < 1960-01-01", (row) => row["Birthdate"] !== null && String(row["Birthdate"]) < "1960-01-01"],
  ["CreatedDate >= 2020-06-01T02:00:00+02:00", (row) => String(row["CreatedDate"]) >= "2020-06-01T00:00:00.000+0000"],
  [
    "CreatedDate > 2020-06-01T00:00:00.000Z AND CreatedDate < 2021-06-01T00:00:00Z",
    (row) =>
      String(row["CreatedDate"]) > "2020-06-01T00:00:00.000+0000" &&
      String(row["CreatedDate"]) < "2021-06-01T00:00:00.000+0000",
  ],
  [
    "Interests__c INCLUDES ('Pumps;Valves', '-Faxing', 'Faxing')",
    (row) => /Pumps;Valves|Faxing/.test(String(row["Interests__c"])),
  ],
  ["Interests__c EXCLUDES ('Pumps')", (row) => !String(row["Interests__c"]).split(";").includes("Pumps")],
  [
    "(LastName = 'Li' OR LastName = 'Wu') AND NOT FirstName = null",
    (row) => ["Li", "Wu"].includes(String(row["LastName"])) && row["FirstName"] !== null,
  ],
  ["Account.Name LIKE 'A%'", (row) => /^a/i.test(String(recordNamed("Account", row["AccountId"])?.["Name"] ?? ""))],
  ["Owner.IsActive = false", (row) => recordNamed("User", row["OwnerId"])?.["IsActive"] === false],
  [
    "AccountId IN (SELECT Id FROM Account WHERE IsPersonAccount = true)",
    (row) => recordNamed("Account", row["AccountId"])?.["IsPersonAccount"] === true,
  ],
];

const byId = new Map<string, Map<Json, Row>>();
/** A parent that is not deleted: query reads no others. */
function recordNamed(object: string, id: Json | undefined): Row | undefined {
  const known =
    byId.get(object) ??
    new Map(
      truth(object)
        .filter((row) => row["IsDeleted"] !== true)
        .map((row) => [row["Id"] ?? null, row]),
    );
  byId.set(object, known);
  return known.get(id ?? null);
}

test.each(FILTERS)("WHERE %s returns the records for which it holds, and COUNT() counts them", (where, holds) => {
  const expected = idsOf(kept.filter(holds));
  expect(expected.length).toBeGreaterThan(0);
  expect(idsOf(run(`SELECT Id FROM Contact WHERE ${where}`).rows)).toEqual(expected);
  expect(run(`select count() from contact where ${where}`).totalSize).toBe(expected.length);
});

test("query leaves out deleted and archived records, queryAll returns both", () => {
  const tasks = truth("Task");
  expect(run("SELECT Id FROM Task").totalSize).toBe(
    tasks.filter((row) => !row["IsDeleted"] && !row["IsArchived"]).length,
  );
  expect(run("SELECT Id FROM Task", true).totalSize).toBe(tasks.length);
  expect(run("SELECT Id FROM Task WHERE IsDeleted = false", true).totalSize).toBe(
    tasks.filter((row) => !row["IsDeleted"]).length,
  );
});

test("every field of every record has the generator's value", () => {
  for (const object of [
    "Account",
    "Contact",
    "Case",
    "CaseComment",
    "EmailMessage",
    "FeedItem",
    "FeedComment",
    "Task",
    "Event",
  ]) {
    const rows = truth(object).filter(({ IsDeleted }) => IsDeleted === false || !isHardDeleted(object));
    const fields = Object.keys(rows[0] ?? {});
    const answered = run(`SELECT ${fields.join(", ")} FROM ${object}`, true).rows;
    expect(answered).toEqual(rows.map((row) => expect.objectContaining(row) as Row));
  }
});

test("keyset pages of any size contain every record, with any filter", () => {
  assert(
    property(integer({ min: 1, max: 700 }), constantFrom(...FILTERS), (size, [where, holds]) => {
      const found: Json[] = [];
      for (let last = "000000000000000AAA"; ;) {
        const { rows } = run(`SELECT Id FROM Contact WHERE Id > '${last}' AND (${where}) ORDER BY Id LIMIT ${size}`);
        found.push(...idsOf(rows));
        if (rows.length === 0) break;
        last = String(rows.at(-1)?.["Id"]);
      }
      expect(found).toEqual(idsOf(kept.filter(holds)));
    }),
    { numRuns: 25 },
  );
});

test("conditions on Id of every kind select a range of ids", () => {
  const ids = idsOf(kept).map(String);
  const [a = "", b = "", c = ""] = [ids[10], ids[50], ids[400]];
  expect(idsOf(run(`SELECT Id FROM Contact WHERE Id >= '${a}' AND Id < '${b}'`).rows)).toEqual(ids.slice(10, 50));
  expect(idsOf(run(`SELECT Id FROM Contact WHERE Id > '${a.slice(0, 15)}' AND Id <= '${b}'`).rows)).toEqual(
    ids.slice(11, 51),
  );
  expect(idsOf(run(`SELECT Id FROM Contact WHERE Id IN ('${c}', '${a}', '${c.slice(0, 15)}')`).rows)).toEqual([a, c]);
  expect(idsOf(run(`SELECT Id FROM Contact WHERE Id = '${b}' OR Id = '${a}'`).rows)).toEqual([a, b]);
  expect(idsOf(run(`SELECT Id FROM Contact WHERE Id > '${c}' ORDER BY Id DESC LIMIT 3`).rows)).toEqual(
    ids.slice(-3).toReversed(),
  );
  expect(idsOf(run(`SELECT Id FROM Contact WHERE Id IN ('${a}','${b}') ORDER BY Id DESC`).rows)).toEqual([b, a]);
});

test("ORDER BY sorts by several fields, with nulls first or last, within LIMIT and OFFSET", () => {
  const sorted = kept.toSorted((a, b) => {
    const [x, y] = [a["Birthdate"], b["Birthdate"]].map((value) => String(value ?? "9999"));
    return x === y
      ? Number(String(a["LastName"]).toLowerCase() > String(b["LastName"]).toLowerCase()) * 2 - 1
      : String(x) < String(y)
        ? -1
        : 1;
  });
  const rows = run("SELECT Birthdate FROM Contact ORDER BY Birthdate NULLS LAST, LastName ASC").rows;
  expect(rows.map((row) => row["Birthdate"])).toEqual(sorted.map((row) => row["Birthdate"]));
  const page = run("SELECT Birthdate FROM Contact ORDER BY Birthdate ASC NULLS LAST LIMIT 5 OFFSET 10");
  expect(page.rows.map((row) => row["Birthdate"])).toEqual(sorted.slice(10, 15).map((row) => row["Birthdate"]));
  expect(run("SELECT Birthdate FROM Contact ORDER BY Birthdate LIMIT 1").rows[0]?.["Birthdate"]).toBeNull();
  expect(run("SELECT Birthdate FROM Contact ORDER BY Birthdate DESC NULLS LAST LIMIT 1").rows[0]?.["Birthdate"]).toBe(
    sorted.findLast((row) => row["Birthdate"] !== null)?.["Birthdate"],
  );
});

test("GROUP BY, aliases, HAVING and all aggregates work", () => {
  const groups = Object.entries(Object.groupBy(kept, (row) => String(row["Salutation"]))).map(([name, rows]) => [
    name,
    rows?.length,
  ]);
  const answered = run("SELECT Salutation s, COUNT(Id) n, COUNT(Email) FROM Contact GROUP BY Salutation").rows;
  expect(new Map(answered.map((row) => [String(row["s"]), row["n"]]))).toEqual(new Map(groups as [string, number][]));
  expect(answered[0]).toHaveProperty("expr0");
  expect(answered[0]?.["attributes"]).toEqual({ type: "AggregateResult" });
  const large = run(
    "SELECT LastName, COUNT(Id) FROM Contact GROUP BY LastName HAVING COUNT(Id) > 18 ORDER BY COUNT(Id) DESC",
  ).rows;
  expect(large.length).toBeGreaterThan(1);
  expect(
    large.every(
      (row, i) => Number(row["expr0"]) > 18 && Number(row["expr0"]) <= Number(large[i - 1]?.["expr0"] ?? Infinity),
    ),
  ).toBe(true);
  const sizes = kept.flatMap((row) => (typeof row["Shoe_Size__c"] === "number" ? [row["Shoe_Size__c"]] : []));
  const [totals] = run(
    `SELECT MIN(Shoe_Size__c) low, MAX(Shoe_Size__c) high, SUM(Shoe_Size__c) total, COUNT_DISTINCT(LastName) names
      FROM Contact`,
  ).rows;
  expect(totals).toMatchObject({
    low: Math.min(...sizes),
    high: Math.max(...sizes),
    names: new Set(kept.map((row) => text(row["LastName"]))).size,
  });
  expect(totals?.["total"]).toBeCloseTo(
    sizes.reduce((sum, size) => sum + size, 0),
    6,
  );
  const years = run(
    "SELECT CALENDAR_YEAR(CreatedDate) y, COUNT(Id) n FROM Contact GROUP BY CALENDAR_YEAR(CreatedDate)",
  ).rows;
  expect(years.find((row) => row["y"] === 2020)?.["n"]).toBe(
    kept.filter((row) => String(row["CreatedDate"]).startsWith("2020")).length,
  );
});

test("parents are nested with attributes; a missing one is null; a polymorphic one is a Name", () => {
  const cases = run(
    "SELECT Id, Account.Name, Account.Owner.Email, Contact.LastName, Owner.Name, Owner.Type, Parent.CaseNumber " +
      "FROM Case",
  ).rows;
  const withQueue = cases.find((row) => (row["Owner"] as Row)["Type"] === "Group");
  expect(withQueue?.["Owner"]).toMatchObject({
    attributes: { type: "Name", url: expect.stringContaining("/sobjects/Group/00G") as string },
  });
  const complete = cases.find((row) => row["Account"] !== null && row["Contact"] !== null);
  expect(complete?.["Account"]).toMatchObject({
    attributes: { type: "Account" },
    Name: expect.any(String) as string,
    Owner: { attributes: { type: "User" } },
  });
  expect(cases.some((row) => row["Account"] === null)).toBe(true);
  expect(cases.some((row) => row["Parent"] !== null)).toBe(true);
});

test("Who and What have the type of the record they point at", () => {
  const tasks = run("SELECT WhoId, Who.Type, Who.Name, WhatId, What.Type, What.Name FROM Task", true).rows;
  const types = new Map([
    ["003", "Contact"],
    ["00Q", "Lead"],
    ["001", "Account"],
    ["500", "Case"],
    ["006", "Opportunity"],
    ["a00", "Project__c"],
  ]);
  const seen = new Set<Json | undefined>();
  for (const row of tasks) {
    for (const side of ["Who", "What"]) {
      const parent = row[side] as Row | null;
      if (parent === null) continue;
      expect(parent["Type"]).toBe(types.get(String(row[`${side}Id`]).slice(0, 3)));
      expect(parent["Name"]).not.toBeNull();
      seen.add(parent["Type"]);
    }
  }
  expect(seen).toEqual(new Set(types.values()));
});

test("a subquery lists the children of each parent", () => {
  const accounts = run("SELECT Id, (SELECT Id, LastName FROM Contacts WHERE LastName != 'Smith') FROM Account").rows;
  for (const row of accounts) {
    const expected = kept
      .filter((contact) => contact["AccountId"] === row["Id"] && contact["LastName"] !== "Smith")
      .map((contact) => contact["Id"]);
    const list = row["Contacts"] as { totalSize: number; done: boolean; records: Row[] } | null;
    expect(list === null ? [] : idsOf(list.records)).toEqual(expected);
  }
});

test("FIELDS(ALL) returns every field, for up to 200 rows", () => {
  expect(Object.keys(run("SELECT FIELDS(ALL) FROM Contact LIMIT 1").rows[0] ?? {})).toEqual([
    "attributes",
    ...Object.keys(contacts[0] ?? {}),
  ]);
  expect(Object.keys(run("SELECT FIELDS(CUSTOM) FROM Contact LIMIT 200").rows[0] ?? {})).toContain("Newsletter__c");
  expect(refused("SELECT FIELDS(ALL) FROM Contact").message).toBe(
    "The SOQL FIELDS function must have a LIMIT of at most 200",
  );
});
