import { beforeAll, describe, expect, test } from "vitest";

import { Imported, OBJECT_NAMES, OBJECTS, type Pair } from "@/tests/service/specification/support/imported-records";
import { analyzed, finished, type Migration } from "@/tests/service/specification/support/migration";
import { countOf, sourceRecords } from "@/tests/service/specification/support/salesforce";
import { type Answer, type Api, openApi, type Page } from "@/tests/service/specification/support/service";

let api: Api;
let started: Answer<Migration>;
let snapshots: Migration[];
let done: Migration;
let imported: Imported;
beforeAll(async () => {
  api = await openApi();
  const { migration_id } = await analyzed(api);
  started = await api.post("/migration/run", { migration_id });
  snapshots = await finished(api, migration_id);
  done = snapshots.at(-1) as Migration;
  imported = await Imported.read(api, done);
}, 600_000);

/** Most records must be unchanged since the import, otherwise the test proves nothing. */
function judged(here: number, there: number): void {
  expect(here).toBeGreaterThan(there / 2);
}

/** Activities of an account, by whether the account that they are about exists in the org. */
function ofAccount(about: "there" | "gone"): Pair[] {
  return imported.untouched("Task", "Event").filter(({ source: { AccountId, WhatId } }) => {
    const isGone = WhatId?.startsWith("001") && !imported.idOf(WhatId);
    return AccountId && (about === "gone") === Boolean(isGone);
  });
}

describe("4. POST /api/v1/migration/run, 3. States", () => {
  test("with a migration_id it starts the import, which runs in the background", () => {
    expect(started.status).toBe(202);
    expect(started.body).toMatchObject({ migration_id: done.migration_id, status: "running" });
    expect(["it went on after the answer", snapshots[0]?.status]).toEqual(["it went on after the answer", "running"]);
    expect(done.status).toMatch(/^completed/);
  });

  test("migration_id is required, and one that is there", async () => {
    const unknown = done.migration_id.replace(/....$/, "0000");
    expect((await api.post("/migration/run", {})).status).toBe(400);
    expect((await api.post("/migration/run", { migration_id: unknown })).status).toBe(404);
  });
});

describe("1. Progress is tracked per object, with status updates written to the migration record", () => {
  test("each object has its progress, and at the end all its records are accounted for", async () => {
    expect(done.objects.map(({ object }) => object)).toEqual(expect.arrayContaining(OBJECT_NAMES));
    for (const { object, source, status, created, updated, unchanged, skipped, failed } of done.objects) {
      expect([object, status]).toEqual([object, "done"]);
      expect([object, source]).toEqual([object, await countOf(object)]);
      expect([object, created + updated + unchanged + skipped + failed]).toEqual([object, source]);
    }
  });

  test("it is updated while the import runs", () => {
    const states = new Set(
      snapshots.map(({ objects }) => objects.map(({ object, status }) => `${object} ${status}`).join()),
    );
    expect(states.size).toBeGreaterThan(2);
  });
});

describe("1. Import order: accounts, contacts, cases (with comments and thread history), activities", () => {
  test.each([
    ["Contact", ["Account"]],
    ["Case", ["Account", "Contact"]],
    ["CaseComment", ["Case"]],
    ["EmailMessage", ["Case"]],
    ["Task", ["Account", "Contact", "Case", "CaseComment", "EmailMessage"]],
    ["Event", ["Account", "Contact", "Case", "CaseComment", "EmailMessage"]],
  ])("%s begins when %s are done", (later, earlier) => {
    for (const { objects } of snapshots) {
      const statusOf = (name: string) => objects.find(({ object }) => object === name)?.status;
      if ((statusOf(later) ?? "pending") === "pending") continue;
      for (const name of earlier)
        expect([`${name} while ${later} is ${statusOf(later)}`, statusOf(name)]).toEqual([
          `${name} while ${later} is ${statusOf(later)}`,
          "done",
        ]);
    }
    const begun = snapshots.findIndex(({ objects }) =>
      objects.some(({ object, status }) => object === later && status !== "pending"),
    );
    expect(begun).toBeGreaterThan(0);
  });
});

describe("1. and 2. Each imported record keeps the original external identifier in ext_id", () => {
  test("every record of the org that was not left out is here under its ext_id", () => {
    expect(imported.missing).toEqual([]);
  });

  test.each(OBJECT_NAMES)("%s: most are here, and as many as the progress says", (name) => {
    const progress = done.objects.find(({ object }) => object === name);
    const { created = 0, updated = 0, unchanged = 0 } = progress ?? {};
    expect(imported.pairs[name].length).toBeGreaterThanOrEqual(created + updated + unchanged);
    expect(created + updated + unchanged).toBeGreaterThan((progress?.source ?? 0) / 2);
  });

  test("a record is found by it", async () => {
    for (const name of OBJECT_NAMES) {
      const { record, source } = imported.pairs[name][0] ?? {};
      const page = await api.get<Page>(`/${OBJECTS[name].resource}?ext_id=${source?.Id}`);
      expect([name, page.body.data]).toMatchObject([name, [{ id: record?.id, ext_id: source?.Id }]]);
    }
  });

  test("leads, opportunities and products are planned: none of the org's came", async () => {
    for (const [object, list] of [
      ["Lead", "leads"],
      ["Opportunity", "opportunities"],
      ["Product2", "products"],
    ] as const) {
      const there = new Set((await api.all(`/${list}`)).map(({ ext_id }) => ext_id));
      const source = await sourceRecords(object);
      expect(source.length).toBeGreaterThan(0);
      expect(source.filter(({ Id }) => there.has(Id))).toEqual([]);
    }
  });
});

describe("1. Relationships preserved", () => {
  test("contact to account", () => {
    const pairs = imported.untouched("Contact");
    judged(pairs.length, imported.pairs.Contact.length);
    const wrong = pairs.filter(({ source, record }) => record.account_id !== imported.idOf(source.AccountId));
    expect(wrong).toEqual([]);
    expect(pairs.some(({ record }) => record.account_id)).toBe(true);
  });

  test.each([
    ["account", "account_id", "AccountId"],
    ["contact", "contact_id", "ContactId"],
  ])("case to %s", (_, field, sourceField) => {
    const pairs = imported.untouched("Case");
    judged(pairs.length, imported.pairs.Case.length);
    expect(pairs.filter(({ source, record }) => record[field] !== imported.idOf(source[sourceField]))).toEqual([]);
    expect(pairs.some(({ record }) => record[field])).toBe(true);
  });

  test("case comment to case", () => {
    const pairs = imported.untouched("CaseComment", "EmailMessage").filter(({ source }) => source.ParentId);
    judged(pairs.length, imported.pairs.CaseComment.length + imported.pairs.EmailMessage.length);
    expect(pairs.filter(({ source, record }) => record.case_id !== imported.idOf(source.ParentId))).toEqual([]);
  });

  test("case comment to case: thread ordering kept", async () => {
    // E-mails without a case are activities.
    const inThread = imported.untouched("CaseComment", "EmailMessage").filter(({ source }) => source.ParentId);
    const times = new Map<string, number>();
    for (const { source, record } of inThread) {
      times.set(record.id, Date.parse(String(source.MessageDate ?? source.CreatedDate)));
    }
    const threads = Map.groupBy(inThread, ({ record }) => String(record.case_id));
    const longest = [...threads.entries()].toSorted(([, a], [, b]) => b.length - a.length).slice(0, 40);
    expect(longest[0]?.[1].length).toBeGreaterThan(3);
    for (const [id] of longest) {
      const thread = await api.all(`/cases/${id}/comments`);
      const order = thread.flatMap((comment) => times.get(comment.id) ?? []);
      expect(order).toEqual(order.toSorted((a, b) => a - b));
    }
  });

  test("activity to contact", () => {
    const pairs = imported.untouched("Task", "Event").filter(({ source }) => source.WhoId?.startsWith("003"));
    expect(pairs.length).toBeGreaterThan(9);
    expect(pairs.filter(({ source, record }) => record.contact_id !== imported.idOf(source.WhoId))).toEqual([]);
  });

  test("activity to account", () => {
    const pairs = ofAccount("there");
    expect(pairs.length).toBeGreaterThan(9);
    expect(pairs.filter(({ source, record }) => record.account_id !== imported.idOf(source.AccountId))).toEqual([]);
  });

  // Only a few of the org's 10,000 records are like this, and a smaller org may have none.
  test("activity to account, when the account that it is about is gone", () => {
    const pairs = ofAccount("gone").filter(({ source }) => imported.idOf(source.AccountId));
    expect(pairs.length).toBeGreaterThan(0);
    expect(pairs.filter(({ source, record }) => record.account_id !== imported.idOf(source.AccountId))).toEqual([]);
  });
});

describe("1. The migrated records are records like others", () => {
  test("they stand in the lists with id and created_at", async () => {
    for (const name of OBJECT_NAMES) {
      for (const { record } of imported.pairs[name]) {
        expect(record).toMatchObject({ id: expect.any(String), ext_id: expect.any(String) });
        expect(Date.parse(record.created_at)).not.toBeNaN();
      }
    }
  });
});
