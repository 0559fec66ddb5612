import { beforeEach, expect, test } from "vitest";

import { registerSender } from "@/inngest/client";
import { type SendRequests, sendDueRequests, storeRequests } from "@/inngest/job-requests";
import { transaction } from "@/lib/database/db";
import { newId } from "@/lib/ids";
import { type JobRequest, requestJobs } from "@/lib/jobs";
import { pool } from "@/tests/support/owner";

beforeEach(() => pool().query("TRUNCATE job_requests"));

function newRequest(): JobRequest {
  const migrationId = newId();
  const data = { organization_id: newId(), migration_id: migrationId };
  return { name: "migration/analyze.requested", data, id: `analyze-${migrationId}` };
}

/** A server that takes jobs, or does `fault` instead. */
function createServer(fault?: () => Promise<void>): { taken: string[]; send: SendRequests } {
  const taken: string[] = [];
  const send: SendRequests = async (requests) => {
    await fault?.();
    taken.push(...requests.map(({ id }) => id));
  };
  return { taken, send };
}

const away = () => Promise.reject(new Error("away"));

interface Waiting {
  id: string;
  attempts: number;
  seconds: number;
}

async function waiting(): Promise<Waiting[]> {
  const { rows } = await pool().query<Waiting>(
    `SELECT id, attempts, extract(epoch FROM next_attempt_at - now())::float8 AS seconds FROM job_requests`,
  );
  return rows;
}

const makeDue = () => pool().query("UPDATE job_requests SET next_attempt_at = now() - interval '1 second'");

test("a request is sent after the commit and leaves no row; one that is rolled back is never sent", async () => {
  const { taken, send } = createServer();
  const [kept, undone] = [newRequest(), newRequest()];
  await transaction(async (client) => {
    await storeRequests(client, [kept], send);
    expect(taken).toEqual([]);
  });
  const rolledBack = transaction(async (client) => {
    await storeRequests(client, [undone], send);
    throw new Error("rolled back");
  });
  await expect(rolledBack).rejects.toThrow("rolled back");
  expect(taken).toEqual([kept.id]);
  expect(await waiting()).toEqual([]);
});

test("a server that never answers delays the caller by a second, and the request waits", async () => {
  const { send } = createServer(() => new Promise(() => undefined));
  const request = newRequest();
  const before = performance.now();
  await transaction((client) => storeRequests(client, [request], send));
  expect(performance.now() - before).toBeLessThan(5000);
  expect(await waiting()).toMatchObject([{ id: request.id, attempts: 1 }]);
});

test("a request that is not taken is tried again, at most half a minute later, until it is", async () => {
  const request = newRequest();
  await transaction((client) => storeRequests(client, [request], createServer(away).send));
  for (let attempt = 2; attempt <= 12; attempt += 1) {
    await makeDue();
    await expect(sendDueRequests(createServer(away).send)).rejects.toThrow("away");
    const [{ attempts, seconds } = { attempts: 0, seconds: Infinity }] = await waiting();
    expect(attempts).toBe(attempt);
    expect(seconds).toBeLessThan(31);
  }
  const back = createServer();
  expect(await sendDueRequests(back.send)).toBe(0);
  await makeDue();
  expect(await sendDueRequests(back.send)).toBe(1);
  expect(back.taken).toEqual([request.id]);
  expect(await waiting()).toEqual([]);
});

test("what a process that died had stored is sent by others, once, though several look at the same time", async () => {
  const requests = Array.from({ length: 500 }, newRequest);
  await transaction((client) => storeRequests(client, requests, createServer(away).send));
  await makeDue();
  const { taken, send } = createServer();
  await Promise.all([sendDueRequests(send), sendDueRequests(send), sendDueRequests(send)]);
  expect(taken.toSorted()).toEqual(requests.map(({ id }) => id).toSorted());
  expect(await waiting()).toEqual([]);
});

test("the embedded engine gets a request in the same transaction, without a row that waits", async () => {
  registerSender();
  const request = newRequest();
  await transaction(async (client) => {
    await requestJobs(client, [request]);
    expect((await client.query("SELECT FROM job_events WHERE id = $1", [request.id])).rowCount).toBe(1);
  });
  expect(await waiting()).toEqual([]);
});
