import { existsSync, mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { PURGES } from "@/inngest/functions/purge-expired";
import { env } from "@/lib/env";
import { newId } from "@/lib/ids";
import { createAccessToken, createContext, createSession } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";

const TABLES = ["sessions", "oauth_authorizations", "oauth_codes", "oauth_tokens", "oauth_grants"] as const;

test("what lets people and apps in is purged at its time: sessions, requests, codes with their tokens", async () => {
  const context = await createContext();
  await createAccessToken(context);
  const session = await createSession(context);
  await pool().query(
    `INSERT INTO oauth_authorizations (id, client_id, user_id, session_id, redirect_uri, code_challenge, created_at,
       expires_at)
     SELECT $2, id, created_by_id, $3, '', '', now(), now() + interval '10 minutes' FROM oauth_clients
     WHERE created_by_id = $1`,
    [context.userId, newId(), session],
  );
  const expire = (table: (typeof TABLES)[number], before: string) =>
    pool().query(`UPDATE ${table} SET expires_at = now() - $2::interval WHERE user_id = $1`, [context.userId, before]);
  const left = async () => {
    for (const purge of [PURGES.sessions, PURGES["requests of apps"], PURGES.codes]) await purge();
    const counts = TABLES.map((table) => pool().query(`SELECT FROM ${table} WHERE user_id = $1`, [context.userId]));
    return (await Promise.all(counts)).map(({ rowCount }) => rowCount);
  };
  expect(await left()).toEqual([1, 1, 1, 1, 1]);
  await expire("sessions", "1 second");
  await expire("oauth_authorizations", "1 second");
  // A spent code that is used once more still revokes what it had issued.
  await expire("oauth_codes", "23 hours");
  expect(await left()).toEqual([0, 0, 1, 1, 1]);
  await expire("oauth_codes", "25 hours");
  expect(await left()).toEqual([0, 0, 0, 0, 1]);
});

test("what a killed process has left of a content is purged after two hours", async () => {
  const folder = join(env.DATA_DIR, "files", newId());
  mkdirSync(folder, { recursive: true });
  const part = join(folder, "content.part");
  writeFileSync(part, "half");
  const age = (minutes: number) => utimesSync(part, new Date(), new Date(Date.now() - minutes * 60_000));
  age(119);
  await PURGES["unfinished files"]();
  expect(existsSync(part)).toBe(true);
  age(121);
  await PURGES["unfinished files"]();
  expect(existsSync(part)).toBe(false);
});
