import { beforeAll, describe, expect, test } from "vitest";

import { execute, type Operation, valueOf } from "@/lib/operation";
import { listOperation } from "@/lib/records/operations";
import { ENTITIES } from "@/lib/records/schema/registry";
import { type ResourceName, RESOURCES } from "@/lib/records/schema/resources";
import { createContext, createOrganization, insertRecord } from "@/tests/support/factories";

const context = await createContext();
const { organizationId } = context;

async function find(resource: ResourceName, q: string, parameters: object = {}): Promise<string[]> {
  const page = valueOf(
    await execute(listOperation(resource) as unknown as Operation, context, { q, limit: 200, ...parameters }),
  );
  return (page as { data: { id: string }[] }).data.map(({ id }) => id);
}

const people = {
  ada: { first_name: "Ada", last_name: "Lovelace-King", email: "ada.lovelace@Analytical.example" },
  juergen: { first_name: "Jürgen", last_name: "MÜLLER", email: "jm@firma.example" },
  irish: { first_name: "Sinéad", last_name: "O'Connor\\Smith" },
  chinese: { last_name: "李小龍" },
  jose: { first_name: "José", last_name: "Núñez", email: "jose@firma.example" },
  plain: { first_name: "Jose", last_name: "Sorensen" },
  danish: { first_name: "Søren", last_name: "Bræmer-Straße" },
  decomposed: { first_name: "Zoe\u0308", last_name: "Ｔａｎａｋａ" },
  typographic: { first_name: "„Conor“", last_name: "O’Brien–Walsh" },
  korean: { last_name: "한국" },
  greek: { first_name: "Γιώργος", last_name: "Σεφέρης" },
  invisible: { first_name: "\ufeffIda", last_name: "\u2068Bar\u00adnett\u2069" },
};
const ids = new Map<string, string>();

beforeAll(async () => {
  for (const [name, person] of Object.entries(people))
    ids.set(name, await insertRecord("contacts", organizationId, person));
  await insertRecord("contacts", await createOrganization(), people.ada);
});

test.each([
  ["ada", ["ada"]],
  ["ADA", ["ada"]],
  ["lovel", ["ada"]],
  ["king", ["ada"]],
  ["lovelace-k", ["ada"]],
  ["ada king", ["ada"]],
  ["king ada", ["ada"]],
  ["ada.lovelace@analytical.example", ["ada"]],
  ["ada.lovelace@ana", ["ada"]],
  ["analytical.example", ["ada"]],
  ["example", ["jose", "juergen", "ada"]],
  ["müller", ["juergen"]],
  ["Mül", ["juergen"]],
  ["jürgen müller", ["juergen"]],
  ["o'connor", ["irish"]],
  ["SINÉAD", ["irish"]],
  ["smith", ["irish"]],
  ["o'brien", ["typographic"]],
  ["O’Brien", ["typographic"]],
  ["walsh conor", ["typographic"]],
  ["o’connor", ["irish"]],
  ["李小", ["chinese"]],
  ["muller", ["juergen"]],
  ["MULLER", ["juergen"]],
  ["jose", ["plain", "jose"]],
  ["JOSÉ", ["plain", "jose"]],
  ["jóse nunez", ["jose"]],
  ["sinead", ["irish"]],
  ["sore", ["danish", "plain"]],
  ["strasse", ["danish"]],
  ["STRASSE", ["danish"]],
  ["braem", ["danish"]],
  ["zoe", ["decomposed"]],
  ["zoë", ["decomposed"]],
  ["tanaka", ["decomposed"]],
  ["ｔａｎａ", ["decomposed"]],
  ["한", ["korean"]],
  ["ΓΙΩΡΓΟΣ", ["greek"]],
  ["γιωργοσ σεφερης", ["greek"]],
  ["ida barnett", ["invisible"]],
  ["\u200bIda", ["invisible"]],
  ["mueller", []],
  ["ͺ", []],
  ["＇＼x", []],
  ["velace", []],
  ["ada müller", []],
  ["ada':* | 'x", []],
  ["!ada", ["ada"]],
  ["ada & !king", ["ada"]],
])("contacts by the words %j", async (q, expected) => {
  expect(await find("contacts", q)).toEqual(expected.map((name) => ids.get(name)));
});

test("numbers are found by their beginning and by their parts", async () => {
  const id = await insertRecord("cases", organizationId, {
    case_number: "00004711",
    subject: "INV-2026-0815 is wrong, 3.14 -5",
  });
  for (const q of ["0000471", "inv-2026", "0815", "2026-0815", "3.14", "-5", "wrong inv"])
    expect(await find("cases", q)).toEqual([id]);
  for (const q of ["4711", " 04711", "0004711"]) expect(await find("cases", q)).toEqual([id]);
  for (const q of ["711", "471", "000004711"]) expect(await find("cases", q)).toEqual([]);
});

describe("phone numbers", () => {
  const numbers: Record<string, string> = {
    long: "+49 (0)30 4455667",
    short: "030 / 445 56 67",
    american: "(512) 757-6000 ext. 42",
    other: "+44 113 496 0000",
    two: "030/7654321 / 0172 99999, or (040) 88888-0",
    marked: "\u202a+49 30 55134567\u202c +49 171 7120001、+81 3-1234-5671 (0171 7123489) доб. 12",
    last: `${"x".repeat(240)}0351 7700`,
  };

  beforeAll(async () => {
    for (const [name, mobile_phone] of Object.entries(numbers))
      ids.set(name, await insertRecord("contacts", organizationId, { last_name: "Telephone", mobile_phone }));
    await insertRecord("contacts", await createOrganization(), { mobile_phone: numbers.long });
  });

  test.each([
    ["030 4455667", ["short", "long"]],
    ["+49 30 4455667", ["short", "long"]],
    ["0049304455667", ["short", "long"]],
    ["55667", ["short", "long"]],
    ["5667", []],
    ["+1 512 757 6000", ["american"]],
    ["5127576000", ["american"]],
    ["757-6000 x7", ["american"]],
    ["0113 496 0000", ["other"]],
    ["+43 113 496 0000", ["other"]],
    ["6000042", []],
    ["030 7654321", ["two"]],
    ["0172 99999", ["two"]],
    ["+49 40 888880", ["two"]],
    ["030/7654321 / 0172 99999", ["two"]],
    ["+49 30 55134567", ["marked"]],
    ["0171 7120001", ["marked"]],
    ["+81 3-1234-5671", ["marked"]],
    ["0171/7123489", ["marked"]],
    ["03517700", ["last"]],
    ["telephone 4960000", []],
  ])("%j finds %j", async (q, expected) => {
    expect(await find("contacts", q)).toEqual(expected.map((name) => ids.get(name)));
  });

  test("are found in every field that holds one, by the list and sorted, with filters and total", async () => {
    const home = await insertRecord("contacts", organizationId, { home_phone: "089 7654321", phone: "nobody knows" });
    const account = await insertRecord("accounts", organizationId, { phone: "0049 89 7654321", name: "89 7654321" });
    const lead = await insertRecord("leads", organizationId, { phone: "-", mobile_phone: "(089) 7654321" });
    expect(await find("contacts", "089 7654321", { sort: "last_name", include: "total" })).toEqual([home]);
    expect(await find("accounts", "+49 89 7654321")).toEqual([account]);
    expect(await find("leads", "7654321", { status: "new" })).toEqual([lead]);
    expect(await find("leads", "7654321", { status: "qualified" })).toEqual([]);
  });

  test("of any form can be stored", async () => {
    for (const phone of ["x".repeat(255), "1".repeat(255), "+", "ext. 5", "١٢٣٤٥٦٧", "1".repeat(19), " "])
      await insertRecord("accounts", organizationId, { phone });
    expect(await find("accounts", "1".repeat(20))).toHaveLength(1);
  });
});

test("search combines with filters, order, cursor and total", async () => {
  const made: string[] = [];
  for (const stage of ["proposal", "prospecting", "proposal", "proposal"]) {
    made.push(await insertRecord("opportunities", organizationId, { name: "Hundred drills", stage }));
  }
  const list = listOperation("opportunities") as unknown as Operation;
  const page = valueOf(
    await execute(list, context, { q: "drill", stage: "proposal", order: "asc", limit: 2, include: "total" }),
  ) as {
    data: { id: string }[];
    next_cursor: string;
    total: number;
  };
  expect(page).toMatchObject({ data: [{ id: made[0] }, { id: made[2] }], next_cursor: made[2], total: 3 });
  expect(await find("opportunities", "drill", { stage: "proposal", order: "asc", cursor: page.next_cursor })).toEqual([
    made[3],
  ]);
  expect(await find("opportunities", "drill")).toEqual(made.toReversed());
});

test("a very long text can be stored and is found by its beginning", async () => {
  const id = await insertRecord("accounts", organizationId, { name: `${"ü".repeat(3_000)} end` });
  expect(await find("accounts", "ü".repeat(200))).toEqual([id]);
  expect(await find("accounts", "end")).toEqual([]);
});

// U+FDFA becomes eighteen characters, U+3316 six, a Hangul syllable three, U+1D160 three of four bytes each, U+0958
// two.
test.each(["\ufdfa", "\u3316", "한", "\u{1d160}", "\u0958", "ﬃ", "İ", "Ⱥ"])(
  "a text of many %s can be stored and is found by its beginning",
  async (one) => {
    const marked = `x${one.repeat(700)}`;
    const id = await insertRecord("accounts", organizationId, {
      name: `${one.repeat(700)} end`,
      account_number: marked,
      website: marked,
    });
    expect(await find("accounts", `x${one.repeat(20)}`)).toEqual([id]);
  },
);

test("all resources can be searched except case comments, which are found through their cases", () => {
  expect(RESOURCES.filter((resource) => ENTITIES[resource].search.length === 0)).toEqual(["case_comments"]);
});
