import { afterEach, beforeAll, expect, test, vi } from "vitest";

import { drainWebhook } from "@/inngest/functions/drain-webhook";
import { env } from "@/lib/env";
import { newId } from "@/lib/ids";
import { sealSessionId, SESSION_COOKIE } from "@/lib/sessions/browser-sessions/cookies";
import type { Report } from "@/lib/migration/report/report-schema";
import { startSandboxOrg } from "@/sandbox-org/start";
import { callRoute } from "@/tests/http/support/call-route";
import { startEngine } from "@/tests/inngest/support/engine-under-test";
import { analyzeOrg } from "@/tests/migration/support/analyze-org";
import { createReady } from "@/tests/migration/support/ready-migration";
import { arrange, exchange, obtainCode } from "@/tests/oauth/support/fixtures";
import { createAccessToken, createContext, createSession, insertRecord } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";
import { WebhookReceiver } from "@/tests/support/webhook-receiver";
import { openConfigurePage } from "@/tests/walks/support/configure-page";
import { filesRun } from "@/tests/walks/support/files-run";
import { attemptsAt, openWebhook } from "@/tests/webhooks/support/own-webhook";

/** The default of the service; the settings of the tests have no limit. */
const RATE_LIMIT = 6000;

/** The headers that the web process sets in each request (`scripts/service/web/serve.ts`). */
const FROM_WEB = { "x-request-id": newId(), "x-forwarded-for": "192.0.2.1" };

const PATIENCE = { timeout: 60_000, interval: 20 };

beforeAll(() => {
  env.RATE_LIMIT_PER_MINUTE = RATE_LIMIT;
});
afterEach(() => vi.unstubAllGlobals());

/** How often a walk is counted. Files that do not take part each time (timers, another connection) are left out. */
const TIMES = 3;

/** The embedded job engine is counted apart: an Inngest server runs the same functions without it. */
const ENGINE = "inngest/engine/";

/**
 * Fails if more than `max` files of the service, or more than `maxOfEngine` of the embedded job engine, take part in
 * `walk`, listing them with the functions that ran. The first walk is not counted: it loads modules, opens
 * connections and prepares statements. `WALKS=1` prints the list of every walk: `WALKS=1 node_modules/.bin/node
 * node_modules/.bin/vitest run --project processes tests/walks`.
 */
async function expectWithin<Subject>(
  name: string,
  { max, maxOfEngine = 0 }: { max: number; maxOfEngine?: number },
  prepare: () => Promise<Subject>,
  walk: (subject: Subject) => Promise<unknown>,
): Promise<void> {
  await walk(await prepare());
  const counts: Map<string, string[]>[] = [];
  for (let n = 0; n < TIMES; n += 1) {
    const subject = await prepare();
    counts.push(await filesRun(() => walk(subject)));
  }
  const [first = new Map<string, string[]>()] = counts;
  const files = [...first].filter(([file]) => counts.every((each) => each.has(file)));
  const lines = files.map(([file, functions]) => `  ${file}: ${functions.join(", ")}`);
  const ofEngine = files.filter(([file]) => file.startsWith(ENGINE)).length;
  const own = files.length - ofEngine;
  const counted = `${own} files, at most ${max}; of the job engine ${ofEngine}, at most ${maxOfEngine}`;
  const list = [`${name}: ${counted}`, ...lines].join("\n");
  if (process.env.WALKS) process.stdout.write(`${list}\n`);
  // Of a walk that is measured at all, most files are seen.
  expect((own > max / 2 && own <= max && ofEngine <= maxOfEngine) || list).toBe(true);
}

async function client() {
  const context = await createContext();
  const authorization = `Bearer ${await createAccessToken(context)}`;
  const call = async (method: string, path: string, body?: unknown) => {
    const { status, text } = await callRoute(method, path, { authorization, ...FROM_WEB }, body);
    if (status !== 200) throw new Error(text);
    return text;
  };
  return { ...context, context, call };
}

test("a list of records crosses at most 24 files from its route to its SQL", async () => {
  const { organizationId, call } = await client();
  await expectWithin(
    "GET /api/v1/opportunities",
    { max: 24 },
    () => insertRecord("opportunities", organizationId),
    async (id) => expect(await call("GET", "/opportunities")).toContain(id),
  );
});

test("a token crosses at most 16 files", async () => {
  const person = await arrange();
  await expectWithin(
    "POST /oauth/token",
    { max: 16 },
    () => obtainCode(person),
    async (code) => expect((await exchange(person, code, { headers: FROM_WEB })).status).toBe(200),
  );
});

test("a case and its comments cross at most 27 files", async () => {
  const { organizationId, call } = await client();
  await expectWithin(
    "GET /api/v1/cases/{id} and GET /api/v1/cases/{id}/comments",
    { max: 27 },
    async () => {
      const id = await insertRecord("cases", organizationId);
      return { id, comment: await insertRecord("case_comments", organizationId, { case_id: id }) };
    },
    async ({ id, comment }) => {
      expect(await call("GET", `/cases/${id}`)).toContain(id);
      expect(await call("GET", `/cases/${id}/comments`)).toContain(comment);
    },
  );
});

async function unfinishedRuns(): Promise<number> {
  const { rows } = await pool().query("SELECT FROM job_runs WHERE finished_at IS NULL");
  return rows.length;
}

test("a change crosses at most 49 files, and 9 of the job engine, until its delivery is recorded", async () => {
  const stop = await startEngine([drainWebhook]);
  await using receiver = await WebhookReceiver.start();
  const { context, organizationId, call } = await client();
  const key = await openWebhook(context, {
    url: receiver.url,
    events: ["opportunity.updated"],
    generate_secret: true,
  });
  let changes = 0;
  try {
    await expectWithin(
      "PATCH /api/v1/opportunities/{id} to its delivered webhook",
      { max: 49, maxOfEngine: 9 },
      () => insertRecord("opportunities", organizationId),
      async (id) => {
        changes += 1;
        await call("PATCH", `/opportunities/${id}`, { stage: "negotiation" });
        await expect.poll(() => attemptsAt(key), PATIENCE).toHaveLength(changes);
        await expect.poll(unfinishedRuns, PATIENCE).toBe(0);
        expect(receiver.received.at(-1)?.body).toContain(id);
      },
    );
  } finally {
    await stop();
  }
});

test("the choices of the configure page cross at most 66 files until they are in their row", async () => {
  const context = await createContext();
  const report = await analyzedReport();
  const cookie = `${SESSION_COOKIE}=${await sealSessionId(await createSession(context))}`;
  vi.stubGlobal("fetch", async (path: string, { method = "GET", body }: RequestInit) => {
    const headers = { cookie, origin: env.APP_URL, ...FROM_WEB };
    const answer = await callRoute(method, path.slice("/api/v1".length), headers, body && JSON.parse(String(body)));
    return new Response(answer.text, answer);
  });
  await expectWithin(
    "The page /migration/{id}/configure to its saved row",
    { max: 66 },
    async () => {
      const id = await createReady(context);
      await pool().query("UPDATE migrations SET report = $2 WHERE id = $1", [id, report]);
      return openConfigurePage(id);
    },
    async ({ id, saved, show, choose, save }) => {
      expect(show(saved).includes("Where the fields go")).toBe(true);
      const chosen = choose(saved);
      expect(show(chosen).includes("Your choice")).toBe(true);
      await save(chosen);
      const { rows } = await pool().query("SELECT configuration FROM migrations WHERE id = $1", [id]);
      expect(rows).toEqual([{ configuration: chosen }]);
    },
  );
});

/** The report of an org that has records of every object. */
async function analyzedReport(): Promise<Report> {
  const org = await startSandboxOrg({ records: 100 });
  try {
    return await analyzeOrg(org);
  } finally {
    await org.stop();
  }
}
