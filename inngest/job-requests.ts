import type { PoolClient } from "pg";

import { afterCommit, pool } from "@/lib/database/db";
import type { JobRequest } from "@/lib/jobs";
import { log } from "@/lib/log";
import { finishesWithin } from "@/lib/semaphore";

/** Sends requests to the job engine, all or none. */
export type SendRequests = (requests: readonly JobRequest[]) => Promise<void>;

/** No request of ours waits longer for an Inngest server to take a job. */
const SEND_TIMEOUT_MS = 1000;

/** Longer than the process that stored a request takes to send it. Then others may: it has died. */
const FIRST_SWEEP_SECONDS = 10;

const MIN_RETRY_SECONDS = 5;

/** So that waiting work starts within half a minute once the server is back. */
const MAX_RETRY_SECONDS = 30;

/** An Inngest server takes 512 KB at once; a request has some hundred bytes. */
const BATCH_SIZE = 200;

const STORE = `
  INSERT INTO job_requests (id, name, data, migration_id, next_attempt_at)
  SELECT id, name, data, (data->>'migration_id')::uuid, now() + interval '${FIRST_SWEEP_SECONDS} seconds'
  FROM jsonb_to_recordset($1) AS request (id text, name text, data jsonb) ON CONFLICT (id) DO NOTHING`;

/** Stores requests in the transaction of `client`, and sends them after its commit. What is not taken is sent again. */
export async function storeRequests(
  client: PoolClient,
  requests: readonly JobRequest[],
  send: SendRequests,
): Promise<void> {
  await client.query(STORE, [JSON.stringify(requests)]);
  afterCommit(client, () => sendStored(requests, send));
}

const idsOf = (requests: readonly JobRequest[]) => requests.map(({ id }) => id);

/** Never throws: what is stored is accepted. A send that takes too long goes on in the background. */
async function sendStored(requests: readonly JobRequest[], send: SendRequests): Promise<void> {
  try {
    if (await finishesWithin(SEND_TIMEOUT_MS, sendAndForget(requests, send))) return;
    log.warn({ jobs: idsOf(requests) }, "the Inngest server is slow to take jobs; they wait");
  } catch (error) {
    log.warn({ err: error, jobs: idsOf(requests) }, "the Inngest server did not take jobs; they wait");
  }
  await pool()
    .query(`UPDATE job_requests SET ${ATTEMPTED} WHERE id = ANY ($1)`, [idsOf(requests)])
    .catch((error: unknown) => log.warn({ err: error }, "could not store that jobs wait; they are sent again"));
}

/** An attempt counts before it is made. The server knows a request's id, so one that is sent twice starts one job. */
const ATTEMPTED = `attempts = attempts + 1, next_attempt_at = now() + interval '1 second'
  * least(${MAX_RETRY_SECONDS}, ${MIN_RETRY_SECONDS} * power(2, least(attempts, 10)))`;

async function sendAndForget(requests: readonly JobRequest[], send: SendRequests): Promise<void> {
  await send(requests);
  await pool().query("DELETE FROM job_requests WHERE id = ANY ($1)", [idsOf(requests)]);
}

const CLAIM = `
  WITH claimed AS (
    UPDATE job_requests SET ${ATTEMPTED} WHERE id IN (
      SELECT id FROM job_requests WHERE next_attempt_at <= now() ORDER BY next_attempt_at
      LIMIT ${BATCH_SIZE} FOR UPDATE SKIP LOCKED
    ) RETURNING id, name, data, created_at
  ) SELECT id, name, data FROM claimed ORDER BY created_at`;

/**
 * Sends the stored requests that are due, the oldest first. Several processes may do so at once. Returns how many were
 * taken; stops at the first failure, since the others would wait for the same server.
 */
export async function sendDueRequests(send: SendRequests): Promise<number> {
  for (let taken = 0; ;) {
    const { rows } = await pool().query<JobRequest>(CLAIM);
    if (rows.length === 0) return taken;
    await sendAndForget(rows, send);
    taken += rows.length;
    if (rows.length < BATCH_SIZE) return taken;
  }
}
