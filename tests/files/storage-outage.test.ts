import { afterEach, expect, test, vi } from "vitest";

import { env } from "@/lib/env";
import { newId } from "@/lib/ids";
import { log } from "@/lib/log";
import { callRoute } from "@/tests/http/support/call-route";
import { createAccessToken, createContext, insertRecord } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";

const NO_S3 = { FILES_S3_URL: undefined, FILES_S3_ACCESS_KEY_ID: undefined, FILES_S3_SECRET_ACCESS_KEY: undefined };

afterEach(() => void Object.assign(env, NO_S3));

/** The answer to a download of a file whose content nothing has stored. */
async function download() {
  const context = await createContext();
  const { organizationId } = context;
  const headers = { authorization: `Bearer ${await createAccessToken(context)}` };
  const [id, account] = [newId(), await insertRecord("accounts", organizationId)];
  await pool().query(
    `INSERT INTO files (organization_id, id, created_at, resource, record_id, ext_id, name, size, sha256)
     VALUES ($1, $2, now(), 'accounts', $3, 'a', 'a.txt', 1, 'digest')`,
    [organizationId, id, account],
  );
  const { status, headers: answered, text } = await callRoute("GET", `/files/${id}/content`, headers);
  return { status, retryAfter: answered.get("retry-after"), ...(JSON.parse(text) as { code: string; detail: string }) };
}

test("while the storage of files is out of reach, a download says so, as while the database is", async () => {
  const warn = vi.spyOn(log, "warn");
  const keys = { FILES_S3_ACCESS_KEY_ID: "key", FILES_S3_SECRET_ACCESS_KEY: "secret" };
  Object.assign(env, { FILES_S3_URL: "http://127.0.0.1:1/bucket", ...keys });
  expect(await download()).toMatchObject({
    status: 503,
    retryAfter: "5",
    code: "service_unavailable",
    detail: "The service does not reach its storage of files at the moment. Try again in 5 seconds.",
  });
  expect(warn).toHaveBeenCalledWith(expect.anything(), "the storage of files is unavailable");
});

test("a content that the storage does not have is not found", async () => {
  expect(await download()).toMatchObject({
    status: 404,
    code: "not_found",
    detail: "The content of this file is no longer in the storage.",
  });
});
