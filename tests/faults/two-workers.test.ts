import { afterAll, beforeAll, expect, test } from "vitest";

import { registerSender } from "@/inngest/client";
import { transaction } from "@/lib/database/db";
import { newId } from "@/lib/ids";
import { type Configuration, configurationSchema } from "@/lib/migration/configuration/configuration-schema";
import { enqueueRun } from "@/lib/migration/enqueue-jobs";
import { AUTOMATIC_OBJECTS } from "@/lib/migration/objects/source-object-names";
import type { RunKey, MigrationKey } from "@/lib/migration/migration-schema";
import { undoMigration } from "@/lib/migration/undo/undo-migration";
import { openClient, type SalesforceClient } from "@/lib/salesforce/client";
import { WEBHOOK_EVENTS } from "@/lib/webhooks/event-types";
import type { Supervised } from "@/scripts/service/supervisor/supervise";
import { type RunningOrg, startSandboxOrg } from "@/sandbox-org/start";
import { copied } from "@/tests/migration/support/copied-files";
import { startWorkers, untilBeyond } from "@/tests/migration/support/killed-worker";
import { createMigration, type Finished, finishedOf, workToTheEnd } from "@/tests/migration/support/run-migration";
import { compareContent } from "@/tests/migration/support/same-content";
import { startRun } from "@/tests/migration/support/within";
import { undo, workOnUndo } from "@/tests/migration/support/undo";
import { run } from "@/tests/records/support/write-operations";
import { isExhaustive } from "@/tests/support/exhaustive";
import { createContext, createUser } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";

const RECORDS = 600;
/** Small, so that the two meet at many pages. */
const PAGE_SIZE = 100;

/** The part of the records from which on two work. */
const SHARES = isExhaustive ? [0, 0.3, 0.7] : [0.3];

/** Whatever a run does: both APIs, parents that come after their children, events, files. */
const CHOICES: Partial<Configuration> = configurationSchema.parse({
  objects: {
    Account: { relationships: { ParentId: "leave_out" } },
    ...Object.fromEntries(["Contact", "CaseComment", "Task"].map((name) => [name, { api: "bulk" }])),
  },
  send_events: true,
  files: { copy: true, max_mb: 1 },
});

let org: RunningOrg;
let client: SalesforceClient;
let worker: Supervised;
let undisturbed: { key: MigrationKey; expected: Seen };

beforeAll(async () => {
  org = await startSandboxOrg({ records: RECORDS, pageSize: PAGE_SIZE });
  client = openClient({ instanceUrl: org.instanceUrl, accessToken: org.accessToken, apiVersion: "67.0" });
  registerSender();
  const key = await createWatched();
  await workToTheEnd(await start(key), client);
  undisturbed = { key, expected: await seenOf(key) };
});
afterAll(async () => {
  await worker?.stop();
  await org?.stop();
});

/** A migration into a new organization with a webhook for whatever is imported. */
async function createWatched(): Promise<MigrationKey> {
  const key = await createMigration(AUTOMATIC_OBJECTS, org);
  const admin = await createUser(key.organizationId);
  await pool().query(
    `INSERT INTO webhooks (organization_id, id, created_at, updated_at, url_set_by_id, url, events, event_types)
     VALUES ($1, $2, now(), now(), $3, 'https://hooks.example.com', $4, $4)`,
    [key.organizationId, newId(), admin, WEBHOOK_EVENTS],
  );
  return key;
}

function start(key: MigrationKey): Promise<RunKey> {
  return transaction((tx) => startRun(tx, key, configurationSchema.parse(CHOICES)));
}

/** What a run leaves behind, with source ids in place of ids. */
interface Seen {
  finished: Finished;
  files: unknown;
  stored: string[];
  events: string[];
  deliveries: number;
  history: string[];
}

/** The texts that a statement selects for an id, sorted. */
async function texts(sql: string, id: string): Promise<string[]> {
  return (await pool().query<{ text: string }>(`${sql} ORDER BY 1`, [id])).rows.map(({ text }) => text);
}

async function seenOf(key: MigrationKey): Promise<Seen> {
  const deliveries = "SELECT count(*)::int AS text FROM webhook_deliveries WHERE organization_id = $1";
  return {
    finished: await finishedOf(key),
    files: await copied(key),
    stored: await texts(
      "SELECT concat_ws(' ', resource, ext_id, size, sha256) AS text FROM files WHERE organization_id = $1",
      key.organizationId,
    ),
    events: await texts(
      "SELECT concat_ws(' ', type, object ->> 'ext_id') AS text FROM events WHERE organization_id = $1",
      key.organizationId,
    ),
    deliveries: Number((await texts(deliveries, key.organizationId))[0]),
    history: await texts(
      `SELECT concat_ws(' ', event, object, details ->> 'counts') AS text FROM migration_history WHERE migration_id = $1
         AND event <> 'worker_replaced'`,
      key.migrationId,
    ),
  };
}

/** What a run left here, beside the content of an undisturbed one, and the jobs of the Bulk API that are left. */
async function comparedWithUndisturbed(key: MigrationKey) {
  const { text } = await client.request(`${client.dataPath}/jobs/query`);
  const { records: jobs } = JSON.parse(text) as { records: unknown[] };
  return {
    seen: await seenOf(key),
    jobs,
    content: await compareContent(undisturbed.key.organizationId, key.organizationId),
  };
}

/** As {@link comparedWithUndisturbed} returns it when nothing differs. */
function same() {
  const { expected: seen } = undisturbed;
  const records = Object.values(seen.finished.lines).reduce((sum, { created }) => sum + created, 0);
  return { seen, jobs: [], content: { same: records, different: [] } };
}

test("the undisturbed run has everything that two could do twice", () => {
  const { finished, files, events, deliveries } = undisturbed.expected;
  expect(finished.failure).toBeNull();
  expect(files).toMatchObject({ finished: true });
  expect(events.length).toBeGreaterThan(RECORDS / 2);
  const types = new Set<string>(WEBHOOK_EVENTS);
  expect(deliveries).toBeGreaterThan(RECORDS / 4);
  expect(deliveries).toBe(events.filter((event) => types.has(event.split(" ")[0] ?? "")).length);
});

test.each(SHARES)("a second caller of the process, from %d of the records on, changes nothing", async (share) => {
  const key = await createWatched();
  const started = await start(key);
  const first = workToTheEnd(started, client);
  const second = untilBeyond(key, share > 0 ? RECORDS * share : -1).then(() => workToTheEnd(started, client));
  await Promise.all([first, second]);
  expect(await comparedWithUndisturbed(key)).toEqual(same());
});

test.each(SHARES)("a worker beside this process, from %d of the records on, changes nothing", async (share) => {
  worker ??= startWorkers();
  const key = await createWatched();
  const started = await transaction(async (tx) => {
    const next = await startRun(tx, key, configurationSchema.parse(CHOICES));
    await enqueueRun(tx, next);
    return next;
  });
  await untilBeyond(key, RECORDS * share);
  await workToTheEnd(started, client);
  expect(await comparedWithUndisturbed(key)).toEqual(same());
});

test("an undo on which two work deletes and tells the same as one on which one does", async () => {
  const key = await createWatched();
  await workToTheEnd(await start(key), client);
  const context = await createContext({ organizationId: key.organizationId });
  await run(undoMigration, context, { migration_id: key.migrationId });
  await Promise.all([workOnUndo(key, key.migrationId), workOnUndo(key, key.migrationId)]);
  await undo(await createContext({ organizationId: undisturbed.key.organizationId }), undisturbed.key);
  const seen = await seenOf(key);
  expect(seen.finished.status).toBe("undone");
  expect(seen.stored).toEqual([]);
  expect(seen).toEqual(await seenOf(undisturbed.key));
  expect(await compareContent(undisturbed.key.organizationId, key.organizationId)).toEqual({ same: 0, different: [] });
});
