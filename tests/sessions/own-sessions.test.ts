import { beforeEach, expect, test } from "vitest";

import { closeDatabase } from "@/lib/database/db";
import { endOtherSessions, endOwnSession, listSessions } from "@/lib/sessions/browser-sessions/own-sessions";
import { findSession } from "@/lib/sessions/browser-sessions/session-store";
import { contextOf, run, toldOf } from "@/tests/sessions/support/people";
import { createContext, createSession, createUser } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";

interface Listed {
  id: string;
  browser: string;
  address: string;
  is_current: boolean;
  created_at: string;
  last_used_at: string;
}

let ids: { organizationId: string; userId: string };

beforeEach(async () => {
  ids = await createContext();
});

async function list(sessionId: string, input = {}): Promise<{ data: Listed[]; next_cursor: string | null }> {
  return run(listSessions, { ...contextOf(ids, "member"), sessionId }, input);
}

const isAlive = async (id: string) => (await findSession(id, "192.0.2.1")) !== null;

test("own sessions are listed newest first with their addresses and the present one marked", async () => {
  const [first, second] = [await createSession(ids), await createSession(ids)];
  await createSession({ ...ids, userId: await createUser(ids.organizationId) });
  await pool().query("UPDATE sessions SET expires_at = now() WHERE id = $1", [await createSession(ids)]);
  const { data } = await list(first);
  const where = {
    browser: "Firefox on Linux",
    address: "192.0.2.1",
    created_at: expect.any(String),
    last_used_at: expect.any(String),
  };
  expect(data).toEqual([
    { id: second, is_current: false, ...where },
    { id: first, is_current: true, ...where },
  ]);
  const page = await list(first, { limit: 1 });
  expect([page.data[0]?.id, (await list(first, { limit: 1, cursor: page.next_cursor })).data[0]?.id]).toEqual([
    second,
    first,
  ]);
});

test("the last use of a session is recorded about once a minute, and no request waits for it", async () => {
  const id = await createSession(ids);
  const read = async () => (await list(id)).data[0];
  const begun = (await read())?.last_used_at;
  await findSession(id, "203.0.113.9");
  // Nothing waits for this record: the connections end once their statements have.
  await closeDatabase();
  expect(await read()).toMatchObject({ last_used_at: begun, address: "192.0.2.1" });
  await pool().query("UPDATE sessions SET last_used_at = now() - interval '61 seconds' WHERE id = $1", [id]);
  await findSession(id, "203.0.113.9");
  await expect.poll(async () => (await read())?.address).toBe("203.0.113.9");
  expect(Date.parse((await read())?.last_used_at ?? "")).toBeGreaterThanOrEqual(Date.parse(begun ?? ""));
});

test("one session is ended, or all but the present one, and that is recorded", async () => {
  const [present, second, third, fourth] = await Promise.all([
    createSession(ids),
    createSession(ids),
    createSession(ids),
    createSession(ids),
  ]);
  const context = { ...contextOf(ids, "member"), sessionId: present };
  expect(await run(endOwnSession, context, { id: second })).toEqual({ id: second, ended: true });
  expect(await isAlive(second)).toBe(false);
  await expect(run(endOwnSession, context, { id: second })).rejects.toMatchObject({ code: "not_found" });
  expect(await run(endOtherSessions, context)).toEqual({ sessions_ended: 2 });
  expect(await Promise.all([present, third, fourth].map(isAlive))).toEqual([true, false, false]);
  expect((await toldOf(ids.organizationId, "session.ended")).map(({ user_id, details }) => [user_id, details])).toEqual(
    [
      [ids.userId, { sessions_ended: 1, browser: "Firefox on Linux" }],
      [ids.userId, { sessions_ended: 2 }],
    ],
  );
});

test("nobody ends a session of somebody else, not even an admin by its id", async () => {
  const theirs = await createSession({ ...ids, userId: await createUser(ids.organizationId, "member") });
  await expect(run(endOwnSession, contextOf(ids), { id: theirs })).rejects.toMatchObject({ code: "not_found" });
  await run(endOtherSessions, { ...contextOf(ids), sessionId: await createSession(ids) });
  expect(await isAlive(theirs)).toBe(true);
});
