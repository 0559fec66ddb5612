import { beforeEach, expect, test } from "vitest";
import type { z } from "zod";

import type { Context } from "@/lib/context";
import { registerJobSender } from "@/lib/jobs";
import { configuration } from "@/lib/migration/configuration/configuration-schema";
import { createOperation, deleteOperation, restoreOperation, updateOperation } from "@/lib/records/operations";
import { decide } from "@/tests/migration/support/conflicts";
import { createMigration, recordsOf, runMigration } from "@/tests/migration/support/run-migration";
import { compareContent } from "@/tests/migration/support/same-content";
import { ScriptedSource, sourceId, sourceRecord } from "@/tests/migration/support/scripted-source";
import { run } from "@/tests/records/support/write-operations";
import { createContext, createUser } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";

beforeEach(() => registerJobSender(async () => undefined));

type Choices = z.input<typeof configuration>;

const OBJECTS = ["Account", "Contact", "Case", "CaseComment", "EmailMessage", "Task"];

/** Accounts, one with a parent; contacts, one of an account that is missing; a case with its thread; tasks. */
function sourceOf(email: string): ScriptedSource {
  const owner = { OwnerId: sourceId("005", 1) };
  return new ScriptedSource({
    User: [{ Id: sourceId("005", 1), Name: "Olive Owner", Email: email }],
    Group: [],
    Account: [
      sourceRecord("001", 1, { Name: "One", ParentId: sourceId("001", 2), Region__c: "North", ...owner }),
      sourceRecord("001", 2, { Name: "Two", ParentId: null, Region__c: "South", ...owner }),
      sourceRecord("001", 3, { Name: "Three", ParentId: null, Region__c: null, ...owner }),
    ],
    Contact: [
      sourceRecord("003", 1, { LastName: "First", AccountId: sourceId("001", 1), Phone: "1" }),
      sourceRecord("003", 2, { LastName: "Second", AccountId: sourceId("001", 9), Phone: "2" }),
    ],
    Case: [sourceRecord("500", 1, { Subject: "Pump", AccountId: sourceId("001", 1), ContactId: sourceId("003", 1) })],
    CaseComment: [sourceRecord("00a", 1, { CommentBody: "Seen", ParentId: sourceId("500", 1) })],
    EmailMessage: [
      sourceRecord("02s", 1, { Subject: "Re: Pump", TextBody: "Thanks", ParentId: sourceId("500", 1) }),
      sourceRecord("02s", 2, { Subject: "Offer", TextBody: "Please", ParentId: null, RelatedToId: sourceId("001", 3) }),
    ],
    Task: [
      sourceRecord("00T", 1, { Subject: "Call", WhatId: sourceId("001", 3), AccountId: sourceId("001", 3) }),
      sourceRecord("00T", 2, { Subject: "Visit", WhatId: sourceId("500", 1), AccountId: sourceId("001", 1) }),
    ],
  });
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

  static async begin(): Promise<Imported> {
    const key = await createMigration(OBJECTS);
    const context = await createContext({ organizationId: key.organizationId });
    const imported = new Imported(key, context, sourceOf(ownerOf(key)));
    await imported.repeat();
    return imported;
  }

  repeat(choices: Choices = {}) {
    return runMigration(this.key, this.source, { configuration: configuration.parse(choices) });
  }

  /** Our id of an imported record. */
  async idOf(resource: string, extId: string): Promise<string> {
    return String((await recordsOf(resource, this.key.organizationId))[extId]?.id);
  }

  change(object: string, number: number, fields: object): void {
    Object.assign(this.source.records[object]?.[number - 1] ?? {}, fields);
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

const ONE = sourceId("001", 1);

/** What happens between two runs, and how the second one is configured. */
const HAPPENINGS: Record<string, (imported: Imported) => Promise<Choices | void>> = {
  nothing: async () => undefined,
  "a record of the source changes": async (imported) => imported.change("Contact", 1, { Phone: "3" }),
  "a record changes and changes back": async (imported) => {
    imported.change("Contact", 1, { Phone: "3" });
    await imported.repeat();
    imported.change("Contact", 1, { Phone: "1" });
  },
  "a record is edited here": (imported) => imported.edit("contacts", sourceId("003", 1), { phone: "4" }),
  "a record is edited here, and ours wins": async (imported) => {
    await imported.edit("contacts", sourceId("003", 1), { phone: "4" });
    return { repeat: "ours_wins" };
  },
  "a conflict is decided for the source, which then changes back": async (imported) => {
    await imported.edit("accounts", ONE, { name: "Ours" });
    imported.change("Account", 1, { Name: "Theirs" });
    await imported.repeat({ repeat: "decide" });
    await decide(imported, { object: "Account", take: "source" });
    imported.change("Account", 1, { Name: "One" });
  },
  "a parent is deleted here": async (imported) => void (await imported.delete("accounts", ONE)),
  "a parent is deleted and restored here": async (imported) => {
    const id = await imported.delete("accounts", ONE);
    await run(restoreOperation("accounts"), imported.context, { id });
  },
  "a child is deleted, then its parent; the child is restored": async (imported) => {
    const id = await imported.delete("contacts", sourceId("003", 1));
    await imported.delete("accounts", ONE);
    await run(restoreOperation("contacts"), imported.context, { id });
  },
  "a case is deleted here": async (imported) => void (await imported.delete("cases", sourceId("500", 1))),
  "a missing parent appears in the source": async (imported) => {
    imported.source.records.Account?.push(sourceRecord("001", 9, { Name: "Nine", ParentId: null }));
  },
  "somebody creates the missing parent here": async (imported) => {
    await run(createOperation("accounts"), imported.context, { name: "Nine", ext_id: sourceId("001", 9) });
  },
  "a field is mapped onto another one": async () => ({ objects: { Account: { fields: { Region__c: "industry" } } } }),
  "records without their parent are to be left out": async (imported) => {
    await imported.delete("accounts", ONE);
    return { objects: { Contact: { relationships: { AccountId: "leave_out" } } } };
  },
  "the owner becomes a member": async ({ key }) => {
    await createUser(key.organizationId, "member", ownerOf(key));
  },
  "an e-mail gets its case": async (imported) => imported.change("EmailMessage", 2, { ParentId: sourceId("500", 1) }),
};

test.each(Object.entries(HAPPENINGS))(
  "a run that skips what is unchanged ends as one that does not: %s",
  async (_, happen) => {
    const [one, other] = [await Imported.begin(), await Imported.begin()];
    const ends = [];
    for (const imported of [one, other]) {
      const choices = await happen(imported);
      if (imported === other) await other.forgetDigests();
      ends.push(await imported.repeat(choices ?? {}));
    }
    expect(ends[0]).toEqual(ends[1]);
    const compared = await compareContent(one.key.organizationId, other.key.organizationId, [
      "created_at",
      "updated_at",
    ]);
    expect(compared).toMatchObject({ different: [] });
    expect(compared.same).toBeGreaterThan(7);
  },
);

/** A text of each record, by which one sees whether a run has looked at it. */
const TEXTS = { accounts: "name", contacts: "phone", cases: "subject", case_comments: "body", activities: "subject" };

test("a repeated run looks only at what may have changed", async () => {
  const imported = await Imported.begin();
  const { organizationId } = imported.key;
  // No program does this: the content changes, and the version does not.
  for (const [resource, name] of Object.entries(TEXTS))
    await pool().query(`UPDATE ${resource} SET ${name} = 'unseen' WHERE organization_id = $1`, [organizationId]);
  imported.change("Task", 2, { Subject: "Visit again" });
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
