import { expect, test } from "vitest";

import type { Context } from "@/lib/context";
import { AppError } from "@/lib/errors";
import { newId, timeOf } from "@/lib/ids";
import { createClient } from "@/lib/oauth/clients/register-client";
import { execute, type Operation, valueOf } from "@/lib/operation";
import { type AuditAction, recordAudit } from "@/lib/security/audit";
import { listMembers } from "@/lib/sessions/members/list-members";
import { listAuditEvents } from "@/lib/settings/audit-log";
import { createContext, createUser } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";

interface Page {
  data: {
    id: string;
    action: string;
    created_at: string;
    user_name: string | null;
    user_email: string | null;
    client_id: string | null;
  }[];
  next_cursor: string | null;
  has_more: boolean;
}

async function run<Output>(operation: Operation, context: Context, input: unknown = {}): Promise<Output> {
  return valueOf(await execute(operation, context, input)) as Output;
}

const read = (context: Context, input: unknown = {}) => run<Page>(listAuditEvents, context, input);
const actionsIn = ({ data }: Page) => data.map(({ action }) => action);

function record(
  { organizationId, userId: ownId }: Context,
  action: AuditAction,
  { userId = ownId, clientId }: { userId?: string; clientId?: string } = {},
): Promise<void> {
  return recordAudit(pool(), { organizationId, userId, address: "192.0.2.1" }, action, { clientId: clientId ?? null });
}

/** Six events of two people and two API clients. Returns who and what they are. */
async function arrange() {
  const admin = await createContext();
  const colleague = await createUser(admin.organizationId, "member", `bo-${newId()}@example.com`);
  const register = (name: string) =>
    run<{ id: string }>(createClient, admin, {
      name,
      redirect_uris: ["https://client.example/callback"],
      scopes: ["crm:read"],
    });
  const [first, second] = [await register("Reporting"), await register("Billing")];
  await record(admin, "sign_in.succeeded");
  await record(admin, "consent.given", { userId: colleague, clientId: first.id });
  await record(admin, "token.issued", { userId: colleague, clientId: first.id });
  await record(admin, "token.issued", { clientId: second.id });
  return { admin, colleague, first: first.id, second: second.id };
}

const NEWEST_FIRST = [
  "token.issued",
  "token.issued",
  "consent.given",
  "sign_in.succeeded",
  "client.created",
  "client.created",
];

test("the newest event comes first, with the name of whoever is still a member", async () => {
  const { admin } = await arrange();
  const page = await read(admin);
  expect(actionsIn(page)).toEqual(NEWEST_FIRST);
  expect(page.data[0]).toMatchObject({ user_name: "Ada Example" });
  for (const event of page.data) expect(event.created_at).toBe(timeOf(event.id).toISOString());
});

test("of a person who has left, the e-mail address of that time remains", async () => {
  const { admin, colleague } = await arrange();
  await pool().query("DELETE FROM users WHERE id = $1", [colleague]);
  const { data } = await read(admin, { user_id: colleague });
  expect(data).toHaveLength(2);
  for (const event of data) expect(event).toMatchObject({ user_name: null, user_email: expect.stringMatching(/^bo-/) });
});

test("each filter selects what it names, and filters combine", async () => {
  const { admin, colleague, first, second } = await arrange();
  expect(actionsIn(await read(admin, { action: "client.created" }))).toEqual(["client.created", "client.created"]);
  expect(actionsIn(await read(admin, { action: "sign_in.succeeded,token.issued" }))).toEqual([
    "token.issued",
    "token.issued",
    "sign_in.succeeded",
  ]);
  expect(actionsIn(await read(admin, { user_id: colleague }))).toEqual(["token.issued", "consent.given"]);
  expect(actionsIn(await read(admin, { client_id: second }))).toEqual(["token.issued", "client.created"]);
  expect(actionsIn(await read(admin, { client_id: first, user_id: colleague, action: "token.issued" }))).toEqual([
    "token.issued",
  ]);
  expect(
    actionsIn(await read(admin, { client_id: first, user_id: colleague, action: "client.created,sign_out" })),
  ).toEqual([]);
});

test("times limit the log to the millisecond: from the first, up to but without the last", async () => {
  const { admin } = await arrange();
  const all = await read(admin);
  const [from, until] = [all.data[3]?.created_at, all.data[1]?.created_at];
  const expected = all.data.filter(({ created_at }) => created_at >= (from ?? "") && created_at < (until ?? ""));
  const page = await read(admin, { "created_at[gte]": from, "created_at[lt]": until });
  expect(page.data).toEqual(expected);
});

test.each([{}, { action: "token.issued,consent.given,sign_in.succeeded,client.created" }])(
  "pages follow one another without gap or repeat (%o)",
  async (filter) => {
    const { admin } = await arrange();
    const seen: Page["data"] = [];
    let cursor: string | null | undefined;
    do {
      const page = await read(admin, { ...filter, limit: 4, ...(cursor && { cursor }) });
      seen.push(...page.data);
      // Newer events are before the cursor, so they cause neither gaps nor repeats.
      await record(admin, "sign_out");
      cursor = page.next_cursor;
      expect(page.has_more).toBe(cursor !== null);
    } while (cursor);
    expect(seen.map(({ action }) => action)).toEqual(NEWEST_FIRST);
  },
);

test("an organization reads nothing of another one's log, whatever the filter", async () => {
  const { admin, colleague, first } = await arrange();
  const { data } = await read(admin);
  const stranger = await createContext();
  const inputs = [
    {},
    { user_id: colleague },
    { client_id: first },
    { action: "token.issued,client.created" },
    { cursor: data[0]?.id },
  ];
  for (const input of inputs)
    expect(await read(stranger, input)).toEqual({ data: [], next_cursor: null, has_more: false });
});

/** The code and first sentence of a refusal. */
function refusalOf(outcome: Promise<unknown>): Promise<string> {
  return outcome.then(
    () => "accepted",
    (error: unknown) =>
      error instanceof AppError ? `${error.code} ${error.errors[0]?.detail ?? ""}`.trim() : String(error),
  );
}

test.each([
  ["members", { role: "member" as const }],
  ["access tokens", { clientId: newId() }],
])("%s read neither the log nor who belongs to the organization", async (_, change) => {
  const context = { ...(await createContext()), ...change };
  expect(await refusalOf(read(context))).toBe("forbidden");
  expect(await refusalOf(run(listMembers, context))).toBe("forbidden");
});

test.each([
  [{ action: "sign_in" }, "`action` names an unknown action; did you mean `sign_out`?"],
  [{ action: "sign_out,,sign_out" }, "`action` names an unknown action. Known are"],
  [{ action: "sign_out,something.quite.different" }, "Known are `sign_in.succeeded`"],
  [{ user_id: "ada@example.com" }, "`user_id` must be the id of a user."],
  [{ client_id: "crm_0123456789abcdef01234567" }, "not its public client_id"],
  [{ "created_at[gte]": "yesterday" }, "Write a time like 2026-11-21T00:00:00Z."],
  [{ cursor: "second" }, "`cursor` must be the `next_cursor` of an earlier page, unchanged."],
  [{ since: "2026" }, "`since` is not known here"],
])("%o is refused with what is wrong about it", async (input, sentence) => {
  const refusal = await refusalOf(read(await createContext(), input));
  expect(refusal).toMatch(/^invalid_request /);
  expect(refusal).toContain(sentence);
});

test("admins see who belongs to the organization, page by page, and nobody else", async () => {
  const admin = await createContext();
  const ids = [
    admin.userId,
    await createUser(admin.organizationId, "member"),
    await createUser(admin.organizationId, "member"),
  ];
  await createContext();
  const first = await run<{ data: { user_id: string; role: string }[]; next_cursor: string }>(listMembers, admin, {
    limit: 2,
  });
  const second = await run<typeof first>(listMembers, admin, { limit: 2, cursor: first.next_cursor });
  expect([...first.data, ...second.data].map(({ user_id }) => user_id)).toEqual(ids.toReversed());
  expect(second).toMatchObject({
    next_cursor: null,
    data: [{ role: "admin", status: "invited", name: "Ada Example" }],
  });
});
