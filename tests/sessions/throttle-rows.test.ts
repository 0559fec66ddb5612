import { beforeEach, expect, test } from "vitest";

import { pool as service } from "@/lib/database/db";
import { newId } from "@/lib/ids";
import { readOAuthParameters } from "@/lib/oauth/parameters";
import { authenticateClient } from "@/lib/oauth/token/authenticate-client";
import { countAttempt, undoAttempt } from "@/lib/security/throttle";
import { createOrganization } from "@/lib/sessions/people/organizations";
import { lockWaits, untilLockWaits } from "@/tests/support/lock-waits";
import { pool } from "@/tests/support/owner";
import { untilWindowLasts } from "@/tests/support/throttle-window";

beforeEach(async () => {
  await pool().query("TRUNCATE throttles");
});

async function rows(): Promise<number> {
  const { rows: found } = await pool().query<{ count: number }>("SELECT count(*)::int FROM throttles");
  return found[0]?.count ?? 0;
}

function ask(clientId: string, address: string): Promise<string> {
  const body = readOAuthParameters(new URLSearchParams({ client_id: clientId, client_secret: "guess" }).toString());
  return authenticateClient({
    mediaType: undefined,
    authorization: null,
    query: readOAuthParameters(""),
    body,
    address,
  });
}

test("invented client ids of one network share one row, and are then refused unchecked", async () => {
  await untilWindowLasts(300);
  const answers: unknown[] = [];
  for (let guess = 0; guess < 40; guess += 1)
    answers.push(await ask(`crm_${newId()}`, `2001:db8::${guess}`).catch((error: unknown) => error));
  expect(answers[0]).toMatchObject({ code: "invalid_client" });
  expect(answers.at(-1)).toMatchObject({ code: "temporarily_unavailable" });
  expect(await rows()).toBe(1);
});

test("invented subjects make a bounded number of rows, and do not count for other subjects", async () => {
  await createOrganization({
    name: "Acme",
    admin: { email: `${newId()}@example.com`, name: "Ada", password: "correct horse battery" },
  });
  const throttle = { name: "sign-in-email", limit: 3, windowSeconds: 900, isOpen: true } as const;
  await untilWindowLasts(900);
  for (let guess = 0; guess < 5; guess += 1) await countAttempt(throttle, "ada@example.com");
  expect(await countAttempt(throttle, "ada@example.com")).toBeGreaterThan(0);
  expect(await countAttempt(throttle, "max@example.com")).toBe(0);
  const { rows: keys } = await pool().query<{ key: string }>("SELECT key FROM throttles");
  for (const { key } of keys) expect(Number(key.replace("sign-in-email:", ""))).toBeLessThan(2 ** 18);
});

test("the attempts of one subject take one connection, and so do those that are taken back", async () => {
  const throttle = { name: "sign-in-network", limit: 30, windowSeconds: 900, isOpen: true } as const;
  await untilWindowLasts(900);
  await countAttempt(throttle, "192.0.2.1");
  const holder = await pool().connect();
  const work: Promise<unknown>[] = [];
  try {
    await holder.query("BEGIN");
    await holder.query("SELECT FROM throttles FOR UPDATE");
    const attempt = () => work.push(countAttempt(throttle, "192.0.2.1"), undoAttempt(throttle, "192.0.2.1"));
    attempt();
    await untilLockWaits(2);
    for (let more = 0; more < 7; more += 1) attempt();
    // When it is answered, whatever those attempts have sent has taken a connection.
    await service().query("SELECT");
    expect(service().totalCount - service().idleCount).toBe(2);
    expect(await lockWaits()).toBe(2);
  } finally {
    await holder.query("ROLLBACK");
    holder.release();
  }
  await Promise.all(work);
  expect(await rows()).toBe(1);
});

test("a window lasts as long as its throttle says, whatever else is counted", async () => {
  const throttle = { name: "yearly", limit: 1, windowSeconds: 365 * 24 * 3600 };
  expect(await countAttempt(throttle, "acme")).toBe(0);
  await countAttempt({ name: "foreign", limit: 1, windowSeconds: 60 }, "other");
  expect(await countAttempt(throttle, "acme")).toBeGreaterThan(0);
});

test("each attempt deletes some windows that have ended", async () => {
  await pool().query(
    "INSERT INTO throttles SELECT 'old:' || n, now() - interval '1 second', 1 FROM generate_series(1, 120) AS n",
  );
  const throttle = { name: "sign-in-email", limit: 3, windowSeconds: 900, isOpen: true } as const;
  for (const left of [70, 20, 0]) {
    await countAttempt(throttle, "ada@example.com");
    const { rowCount } = await pool().query("SELECT FROM throttles WHERE key LIKE 'old:%'");
    expect(rowCount).toBe(left);
  }
});
