import { createOperation } from "@/lib/records/operations";
import { NEEDED } from "@/tests/support/factories";
import { run } from "@/tests/records/support/write-operations";
import { settled } from "@/tests/records/support/read-events";

import type { Ask, Take } from "@/tests/http/matrix/support/ask";
import { makeFile, makeMember, makeRecord, markedTexts, type Side } from "@/tests/http/matrix/support/side";

function caseId(take: Take): Promise<string> {
  return take("{id}", async (side) => {
    const case_id = await makeRecord(side, "cases");
    await makeRecord(side, "case_comments", { case_id });
    return case_id;
  });
}

/** An opportunity with a history. */
async function opportunity(side: Side): Promise<string> {
  return (await run(createOperation("opportunities"), side.context, NEEDED.opportunities)).id;
}

/** Somebody who owns an opportunity. */
async function ownerOfDeal(side: Side): Promise<string> {
  const owner_id = await makeMember(side);
  await makeRecord(side, "opportunities", { owner_id });
  return owner_id;
}

/** An account that has an event. */
async function toldOf(side: Side): Promise<string> {
  const { id } = await run(createOperation("accounts"), side.context, { name: `${side.marker} of an event` });
  await settled();
  return id;
}

/** A case, and the same one as the record of the file. */
async function filesAsked(take: Take) {
  const made = new Map<Side, Promise<string>>();
  const once = (side: Side) => {
    const id = made.get(side) ?? withFile(side);
    made.set(side, id);
    return id;
  };
  return { record_id: await take("?record_id", once), case_id: await take("?case_id", once) };
}

/** A case with a file. */
async function withFile(side: Side): Promise<string> {
  const id = await makeRecord(side, "cases");
  await makeFile(side, id);
  return id;
}

async function file(side: Side): Promise<string> {
  return makeFile(side, await makeRecord(side, "cases"));
}

async function lead(side: Side): Promise<string> {
  const id = await makeRecord(side, "leads");
  await makeRecord(side, "activities", { lead_id: id });
  return id;
}

async function comment(take: Take, { marker }: Side) {
  return {
    body: `${marker} says`,
    ext_id: await take("/ext_id", (side) => markedTexts(side, "case_comments").ext_id ?? ""),
    owner_id: await take("/owner_id", makeMember),
    author_id: await take("/author_id", makeMember),
  };
}

async function conversion(take: Take, { marker }: Side) {
  return {
    account_id: await take("/account_id", (side) => makeRecord(side, "accounts")),
    contact_id: await take("/contact_id", (side) => makeRecord(side, "contacts")),
    owner_id: await take("/owner_id", makeMember),
    create_opportunity: { name: `${marker} sale`, close_date: "2026-12-31" },
  };
}

/** What stands in the e-mail address of a member of the side. */
async function partOfMember(side: Side): Promise<string> {
  await makeMember(side);
  return side.marker;
}

/** The first word of an account's name. */
async function nameOfAccount(side: Side): Promise<string> {
  await makeRecord(side, "accounts");
  return side.marker;
}

export const ACTION_ASKS: readonly Ask[] = [
  {
    route: "POST /cases/{id}/escalate",
    build: async (take, { marker }) => ({ path: { id: await caseId(take) }, body: { reason: `${marker} reason` } }),
  },
  {
    route: "POST /leads/{id}/convert",
    build: async (take, side) => ({ path: { id: await take("{id}", lead) }, body: await conversion(take, side) }),
  },
  { route: "GET /cases/{id}/comments", build: async (take) => ({ path: { id: await caseId(take) } }) },
  {
    route: "POST /cases/{id}/comments",
    build: async (take, side) => ({ path: { id: await caseId(take) }, body: await comment(take, side) }),
    outcomes: { "/ext_id": { status: 201 } },
  },
  {
    route: "GET /opportunities/{id}/stage_changes",
    build: async (take) => ({ path: { id: await take("{id}", opportunity) } }),
  },
  { route: "GET /pipeline", build: async (take) => ({ query: { owner_id: await take("?owner_id", ownerOfDeal) } }) },
  { route: "GET /record_counts", build: async () => ({}) },
  { route: "GET /search", build: async (take) => ({ query: { q: await take("?q", nameOfAccount) } }) },
  { route: "GET /users", build: async (take) => ({ query: { q: await take("?q", partOfMember) } }) },
  { route: "GET /users/{id}", build: async (take) => ({ path: { id: await take("{id}", makeMember) } }) },
  { route: "GET /files", build: async (take) => ({ query: await filesAsked(take) }) },
  { route: "GET /files/{id}", build: async (take) => ({ path: { id: await take("{id}", file) } }) },
  { route: "GET /files/{id}/content", build: async (take) => ({ path: { id: await take("{id}", file) } }) },
  { route: "GET /events", build: async (take) => ({ query: { record_id: await take("?record_id", toldOf) } }) },
];
