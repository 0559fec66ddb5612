import { beforeAll, describe, expect, test } from "vitest";

import type { Context } from "@/lib/context";
import { newId } from "@/lib/ids";
import { listAdmins, usersStatement } from "@/lib/sessions/people/users";
import { createAccessToken, createContext, createOrganization, createUser } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";
import { PLAN_MODES, planOf, readersOf, sortsOf } from "@/tests/support/query-plan";

import { callRoute } from "@/tests/http/support/call-route";

interface Answered {
  status: number;
  body: { data: { id: string }[]; next_cursor: string | null };
}

let context: Context;
let call: ReturnType<typeof callerWith>;
let ids: string[];

function callerWith(token: string) {
  return async (method: string, path: string, body?: unknown): Promise<Answered> => {
    const { status, text } = await callRoute(method, path, { authorization: `Bearer ${token}` }, body);
    return { status, body: JSON.parse(text) as Answered["body"] };
  };
}

beforeAll(async () => {
  context = await createContext({ scopes: ["crm:write"] });
  call = callerWith(await createAccessToken(context));
  ids = [context.userId];
  for (let index = 0; index < 4; index += 1)
    ids.push(await createUser(context.organizationId, "member", `user${index}@example.com`));
  await createUser(await createOrganization("Other"), "admin");
});

async function disabled(): Promise<string> {
  const id = await createUser(context.organizationId, "member");
  await pool().query("UPDATE memberships SET disabled_at = now() WHERE user_id = $1", [id]);
  return id;
}

describe("users", () => {
  test("are those of the organization who can sign in, the latest added first, page by page", async () => {
    await disabled();
    const first = (await call("GET", "/users?limit=3")).body;
    expect(first).toMatchObject({ has_more: true });
    const second = (await call("GET", `/users?limit=3&cursor=${first.next_cursor}`)).body;
    expect(second).toMatchObject({ has_more: false, next_cursor: null });
    expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(ids.toReversed());
    expect(first.data[0]).toEqual({ id: ids[4], name: "Ada Example", email: "user3@example.com", role: "member" });
  });

  test("are read by their id, in either case", async () => {
    const admin = {
      id: context.userId,
      name: "Ada Example",
      email: expect.stringContaining("@example.com"),
      role: "admin",
    };
    for (const id of [context.userId, context.userId.toUpperCase()]) {
      expect(await call("GET", `/users/${id}`)).toMatchObject({ status: 200, body: admin });
    }
  });

  test("are found by a part of their name or e-mail address, in either case, with or without accents", async () => {
    const found = async (q: string) =>
      (await call("GET", `/users?q=${encodeURIComponent(q)}`)).body.data.map(({ id }: { id: string }) => id);
    expect(await found("USER3@")).toEqual([ids[4]]);
    expect(await found("a ex")).toEqual(ids.toReversed());
    for (const q of ["%", "\u0301", "\u200b", " "]) expect(await found(q)).toEqual([]);
    await pool().query("UPDATE users SET name = 'José Núñez' WHERE id = $1", [ids[2]]);
    for (const q of ["jose", "JOSÉ NUN", "nuñ"]) expect(await found(q)).toEqual([ids[2]]);
    await pool().query("UPDATE users SET name = 'Ada Example' WHERE id = $1", [ids[2]]);
    expect(await call("GET", "/users?q=")).toMatchObject({ status: 400, body: { errors: [{ pointer: "?q" }] } });
  });

  test("who can no longer sign in are read by their id, since records name them as owners", async () => {
    const id = await disabled();
    expect(await call("GET", `/users/${id}`)).toMatchObject({ status: 200, body: { id, name: "Ada Example" } });
  });

  test("who were removed, belong to another organization or do not exist are not found", async () => {
    const stranger = await createUser(await createOrganization("Third"));
    const removed = await createUser(context.organizationId, "member");
    await pool().query("DELETE FROM memberships WHERE user_id = $1", [removed]);
    for (const id of [removed, stranger, newId(), "me"]) {
      expect(await call("GET", `/users/${id}`)).toMatchObject({ status: 404, body: { code: "not_found" } });
    }
  });

  test("cannot be read with erp:read alone, nor be changed", async () => {
    const erp = callerWith(await createAccessToken({ ...context, scopes: new Set(["erp:read"]) }));
    for (const path of ["/users", `/users/${context.userId}`]) {
      expect(await erp("GET", path)).toMatchObject({ status: 403, body: { code: "insufficient_scope" } });
      expect((await call("PATCH", path, {})).status).toBe(405);
    }
  });

  test.each([
    ["owner_id", newId(), "No user of the organization has this id; `GET /api/v1/users` lists them."],
    ["owner_id", "ada", "This must be the id of a user; `GET /api/v1/users` lists them."],
  ])("where %s is %s, the refusal says where they are listed", async (name, value, detail) => {
    const { status, body } = await call("POST", "/accounts", { name: "Alpine Tools", [name]: value });
    expect([status, body]).toMatchObject([400, { errors: [{ pointer: "/owner_id", detail }] }]);
  });

  test("each of the list can own a record", async () => {
    const { data } = (await call("GET", "/users?limit=200")).body;
    expect(data.length).toBe(ids.length);
    for (const { id } of data) {
      expect(await call("POST", "/accounts", { name: "Alpine Tools", owner_id: id })).toMatchObject({
        body: { owner_id: id },
      });
    }
  });
});

const MANY = `
  WITH made AS (
    INSERT INTO users (id, email, name, created_at)
    SELECT overlay(gen_random_uuid()::text PLACING '7' FROM 15)::uuid,
      'u' || n || '@' || $1::text || '.example', 'Somebody', now()
    FROM generate_series(1, 3000) n
    RETURNING id
  )
  INSERT INTO memberships (organization_id, user_id, role, created_at)
  SELECT $1::text::uuid, id, 'member', now() FROM made`;

test.each(PLAN_MODES)("a page of them is one range of an index, in its order, %s", async (mode) => {
  const organizationId = await createOrganization("Large");
  for (const each of [organizationId, await createOrganization("Also large")]) await pool().query(MANY, [each]);
  await pool().query("ANALYZE users, memberships");
  for (const cursor of [undefined, newId()]) {
    const nodes = await planOf(usersStatement(organizationId, 50, cursor), mode);
    expect(sortsOf(nodes)).toEqual([]);
    // Row-level security looks up for each user whether they are a member.
    expect(readersOf(nodes).map((node) => node["Index Name"])).toEqual([
      "memberships_pkey",
      "users_pkey",
      "memberships_user_id_idx",
    ]);
  }
});

describe("the admins that a member is told to ask", () => {
  test("are the first of the organization who can sign in, and no members", async () => {
    const { organizationId, userId } = await createContext({});
    await createUser(organizationId, "member");
    const gone = await createUser(organizationId, "admin");
    await pool().query("UPDATE memberships SET disabled_at = now() WHERE user_id = $1", [gone]);
    const others: string[] = [];
    for (let index = 0; index < 5; index += 1) others.push(await createUser(organizationId, "admin"));
    const named = await listAdmins(organizationId);
    expect(named.map(({ id }) => id)).toEqual([userId, ...others.slice(0, 4)]);
    expect(Object.keys(named[0] ?? {})).toEqual(["id", "name", "email"]);
  });
});
