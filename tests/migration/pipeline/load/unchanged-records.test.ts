import { beforeEach, expect, test } from "vitest";
import type { z } from "zod";

import type { Context } from "@/lib/context";
import { registerJobSender } from "@/lib/jobs";
import { configurationSchema } from "@/lib/migration/configuration/configuration-schema";
import { createOperation, deleteOperation, restoreOperation, updateOperation } from "@/lib/records/operations";
import type { SourceRecord } from "@/lib/salesforce/query";
import { decide } from "@/tests/migration/support/conflicts";
import { createMigration, recordsOf, runMigration } from "@/tests/migration/support/run-migration";
import { compareContent } from "@/tests/migration/support/same-content";
import { ScriptedSource, sourceId, sourceRecord } from "@/tests/migration/support/scripted-source";
import { run } from "@/tests/records/support/write-operations";
import { createContext, createUser } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";

beforeEach(() => registerJobSender(async () => undefined));

type Choices = z.input<typeof configurationSchema>;

const OBJECTS = ["Account", "Contact", "Case", "CaseComment", "EmailMessage", "Task"];

/** How many families of records the source has, of which none refers to another. */
const FAMILIES = 6;

/** The id of a record of a family. */
type IdOf = (prefix: string, number: number) => string;

/** Accounts, one with a parent; contacts, one of an account that is missing; a case with its thread; tasks. */
function familyOf(family: number): ScriptedSource["records"] {
  const id = idsOf(family);
  const record = (prefix: string, number: number, fields: SourceRecord) =>
    sourceRecord(prefix, 10 * family + number, fields);
  const owner = { OwnerId: sourceId("005", 1) };
  return {
    Account: [
      record("001", 1, { Name: "One", ParentId: id("001", 2), Region__c: "North", ...owner }),
      record("001", 2, { Name: "Two", ParentId: null, Region__c: "South", ...owner }),
      record("001", 3, { Name: "Three", ParentId: null, Region__c: null, ...owner }),
    ],
    Contact: [
      record("003", 1, { LastName: "First", AccountId: id("001", 1), Phone: "1" }),
      record("003", 2, { LastName: "Second", AccountId: id("001", 9), Phone: "2" }),
    ],
    Case: [record("500", 1, { Subject: "Pump", AccountId: id("001", 1), ContactId: id("003", 1) })],
    CaseComment: [record("00a", 1, { CommentBody: "Seen", ParentId: id("500", 1) })],
    EmailMessage: [
      record("02s", 1, { Subject: "Re: Pump", TextBody: "Thanks", ParentId: id("500", 1) }),
      record("02s", 2, { Subject: "Offer", TextBody: "Please", ParentId: null, RelatedToId: id("001", 3) }),
    ],
    Task: [
      record("00T", 1, { Subject: "Call", WhatId: id("001", 3), AccountId: id("001", 3) }),
      record("00T", 2, { Subject: "Visit", WhatId: id("500", 1), AccountId: id("001", 1) }),
    ],
  };
}

function idsOf(family: number): IdOf {
  return (prefix, number) => sourceId(prefix, 10 * family + number);
}

function sourceOf(email: string, families: number): ScriptedSource {
  const records: ScriptedSource["records"] = {
    User: [{ Id: sourceId("005", 1), Name: "Olive Owner", Email: email }],
    Group: [],
  };
  for (let family = 0; family < families; family += 1)
    for (const [object, own] of Object.entries(familyOf(family))) (records[object] ??= []).push(...own);
  return new ScriptedSource(records);
}

function ownerOf({ organizationId }: { organizationId: string }): string {
  return `owner-${organizationId}@example.com`;
}

/** An organization into which the source was imported. */
class Imported {
  constructor(
    readonly key: Awaited<ReturnType<typeof createMigration>>,
    readonly context: Context,
    readonly source: ScriptedSource,
  ) {}

  static async begin(families = FAMILIES): Promise<Imported> {
    const key = await createMigration(OBJECTS);
    const context = await createContext({ organizationId: key.organizationId });
    const imported = new Imported(key, context, sourceOf(ownerOf(key), families));
    await imported.repeat();
    return imported;
  }

  repeat(choices: Choices = {}) {
    return runMigration(this.key, this.source, { configuration: configurationSchema.parse(choices) });
  }

  /** Our id of an imported record. */
  async idOf(resource: string, extId: string): Promise<string> {
    return String((await recordsOf(resource, this.key.organizationId))[extId]?.id);
  }

  change(object: string, id: string, fields: object): void {
    Object.assign(this.source.records[object]?.find(({ Id }) => Id === id) ?? {}, fields);
  }

  async edit(resource: "accounts" | "contacts", extId: string, values: object): Promise<void> {
    await run(updateOperation(resource), this.context, { id: await this.idOf(resource, extId), ...values });
  }

  async delete(resource: "accounts" | "cases" | "contacts", extId: string): Promise<string> {
    const id = await this.idOf(resource, extId);
    await run(deleteOperation(resource), this.context, { id });
    return id;
  }

  /** Lets the next run look at every record. */
  async forgetDigests(): Promise<void> {
    for (const resource of ["accounts", "contacts", "cases", "case_comments", "activities"])
      await pool().query(`UPDATE ${resource} SET source_digest = NULL WHERE organization_id = $1`, [
        this.key.organizationId,
      ]);
  }
}

/** Something that happens between two runs to the records of a family. */
type Happening = (imported: Imported, id: IdOf) => Promise<void> | void;

interface Scene {
  /** What happens before the last run, each to another family. */
  happenings: Record<string, Happening>;
  /** What happens before, and is followed by a run of its own. */
  before?: Happening;
  /** How the last run is configured. */
  choices?: Choices;
}

const SCENES: Record<string, Scene> = {
  "nothing happens": { happenings: {} },
  "the source changes": {
    before: async (imported, id) => {
      imported.change("Contact", id("003", 1), { Phone: "3" });
      await imported.repeat();
    },
    happenings: {
      "a record changes and changes back": (imported, id) => imported.change("Contact", id("003", 1), { Phone: "1" }),
      "a record changes": (imported, id) => imported.change("Contact", id("003", 1), { Phone: "3" }),
      "a missing parent appears": (imported, id) => {
        imported.source.records.Account?.push(
          sourceRecord("001", 0, { Id: id("001", 9), Name: "Nine", ParentId: null }),
        );
      },
      "an e-mail gets its case": (imported, id) =>
        imported.change("EmailMessage", id("02s", 2), { ParentId: id("500", 1) }),
    },
  },
  "records change here": {
    happenings: {
      "one is edited": (imported, id) => imported.edit("contacts", id("003", 1), { phone: "4" }),
      "a parent is deleted": async (imported, id) => void (await imported.delete("accounts", id("001", 1))),
      "a parent is deleted and restored": async (imported, id) => {
        const account = await imported.delete("accounts", id("001", 1));
        await run(restoreOperation("accounts"), imported.context, { id: account });
      },
      "a child is deleted, then its parent; the child is restored": async (imported, id) => {
        const contact = await imported.delete("contacts", id("003", 1));
        await imported.delete("accounts", id("001", 1));
        await run(restoreOperation("contacts"), imported.context, { id: contact });
      },
      "a case is deleted": async (imported, id) => void (await imported.delete("cases", id("500", 1))),
      "somebody creates the missing parent": async (imported, id) => {
        await run(createOperation("accounts"), imported.context, { name: "Nine", ext_id: id("001", 9) });
      },
    },
  },
  "a record is edited here, and ours wins": {
    happenings: {
      "it is edited": (imported, id) => imported.edit("contacts", id("003", 1), { phone: "4" }),
    },
    choices: { repeat: "ours_wins" },
  },
  // The records that name the owner are mapped again.
  "the owner becomes a member": {
    happenings: {
      "it becomes one": async ({ key }) => {
        await createUser(key.organizationId, "member", ownerOf(key));
      },
    },
  },
  "a field is mapped onto another one, and records without their parent are to be left out": {
    happenings: {
      "a parent is deleted": async (imported, id) => void (await imported.delete("accounts", id("001", 1))),
    },
    choices: {
      objects: {
        Account: { fields: { Region__c: "industry" } },
        Contact: { relationships: { AccountId: "leave_out" } },
      },
    },
  },
  "a conflict is decided for the source, which then changes back": {
    before: async (imported, id) => {
      await imported.edit("accounts", id("001", 1), { name: "Ours" });
      imported.change("Account", id("001", 1), { Name: "Theirs" });
      await imported.repeat({ repeat: "decide" });
      await decide(imported, { object: "Account", take: "source" });
    },
    happenings: {
      "the source changes back": (imported, id) => imported.change("Account", id("001", 1), { Name: "One" }),
    },
  },
};

/** Lets happen what the first run is followed by, and runs the migration a last time. */
async function lastRun(imported: Imported, { before, happenings, choices }: Scene, forgets: boolean) {
  await before?.(imported, idsOf(0));
  for (const [family, happen] of Object.values(happenings).entries()) await happen(imported, idsOf(family));
  if (forgets) await imported.forgetDigests();
  return imported.repeat(choices);
}

test.each(Object.entries(SCENES))(
  "a run that skips what is unchanged ends as one that does not: %s",
  async (_, scene) => {
    const [one, other] = [await Imported.begin(), await Imported.begin()];
    expect(await lastRun(one, scene, false)).toEqual(await lastRun(other, scene, true));
    const compared = await compareContent(one.key.organizationId, other.key.organizationId, [
      "created_at",
      "updated_at",
    ]);
    expect(compared).toMatchObject({ different: [] });
    expect(compared.same).toBeGreaterThan(7 * FAMILIES);
  },
);

/** A text of each record, by which one sees whether a run has looked at it. */
const TEXTS = { accounts: "name", contacts: "phone", cases: "subject", case_comments: "body", activities: "subject" };

test("a repeated run looks only at what may have changed", async () => {
  const imported = await Imported.begin(1);
  const { organizationId } = imported.key;
  // No program does this: the content changes, and the version does not.
  for (const [resource, name] of Object.entries(TEXTS))
    await pool().query(`UPDATE ${resource} SET ${name} = 'unseen' WHERE organization_id = $1`, [organizationId]);
  imported.change("Task", sourceId("00T", 2), { Subject: "Visit again" });
  const { lines } = await imported.repeat();
  expect(lines).toMatchObject({
    Account: { source: 3, unchanged: 3 },
    Contact: { source: 2, unchanged: 1, updated: 1 },
    Case: { source: 1, unchanged: 1 },
    CaseComment: { source: 1, unchanged: 1 },
    EmailMessage: { source: 2, unchanged: 2 },
    Task: { source: 2, unchanged: 1, updated: 1 },
  });
  const seen: string[] = [];
  for (const [resource, name] of Object.entries(TEXTS))
    for (const [extId, record] of Object.entries(await recordsOf(resource, organizationId)))
      if (record[name] !== "unseen") seen.push(extId);
  // The account of this contact is not here.
  expect(seen).toEqual([sourceId("003", 2), sourceId("00T", 2)]);
});
