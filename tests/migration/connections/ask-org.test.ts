import { afterEach, expect, test, vi } from "vitest";

import type { Context } from "@/lib/context";
import { inOrganization } from "@/lib/database/organization-scope";
import { newId } from "@/lib/ids";
import { askOrg } from "@/lib/migration/connections/ask-org";
import { sealToken } from "@/lib/migration/connections/stored-connection";
import { readByKeyset } from "@/lib/migration/pipeline/read/read-by-keyset";
import type { SalesforceClient } from "@/lib/salesforce/client";
import { createContext } from "@/tests/support/factories";
import { startHost, stopHosts } from "@/tests/support/hosts";
import { pool } from "@/tests/support/owner";

afterEach(stopHosts);

/** The id of a migration whose org is at this address. */
async function migrationFrom({ organizationId, userId }: Context, instanceUrl: string): Promise<string> {
  const [connectionId, migrationId] = [newId(), newId()];
  await pool().query(
    `INSERT INTO connections
       (organization_id, id, ext_instance_url, access_token_enc, created_by_id, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, now(), now())`,
    [
      organizationId,
      connectionId,
      instanceUrl,
      sealToken({ organizationId, connectionId }, "access_token_enc", "token"),
      userId,
    ],
  );
  await pool().query(
    `INSERT INTO migrations (organization_id, id, created_at, updated_at, connection_id, created_by_id, status)
     VALUES ($1, $2, now(), now(), $3, $4, 'ready')`,
    [organizationId, migrationId, connectionId, userId],
  );
  return migrationId;
}

/** Asks the org of a new migration at this address. */
async function ask<Answer>(
  context: Context,
  instanceUrl: string,
  question: (client: SalesforceClient) => Promise<Answer>,
) {
  const migrationId = await migrationFrom(context, instanceUrl);
  return inOrganization(context.organizationId, () => askOrg(context.organizationId, migrationId, question));
}

test("a host that always has one page more is read until what a question may hold is used up", async () => {
  const url = await startHost((request, response) => {
    const soql = new URL(request.url ?? "", "http://host").searchParams.get("q") ?? "";
    const after = Number(/Id > '500(\d+)AAA'/.exec(soql)?.[1] ?? 0);
    const records = Array.from({ length: 2000 }, (_, n) => ({
      Id: `500${String(after + n + 1).padStart(12, "0")}AAA`,
      Subject: "x".repeat(700),
    }));
    response.end(JSON.stringify({ totalSize: 2000, done: false, records }));
  });
  const kept: unknown[] = [];
  const asked = await ask(await createContext(), url, async (client) => {
    const read = { from: "Case", fields: ["Id", "Subject"], after: null, all: true, size: { records: 2000 } };
    for await (const page of readByKeyset(client, read)) kept.push(...page);
  });
  expect(asked).toEqual({ answer: null, because: expect.stringContaining("more than is read while somebody waits") });
  expect(kept.length).toBeLessThan(30_000);
});

test("of an organization two questions are asked at a time, of all together three", async () => {
  const [one, other, third] = [await createContext(), await createContext(), await createContext()];
  const url = await startHost((_request, response) => response.end("{}"));
  const begun: Context[] = [];
  const end = Promise.withResolvers<string>();
  const asked = [one, one, one, other, other, third].map((context) =>
    ask(context, url, () => {
      begun.push(context);
      return end.promise;
    }),
  );
  await vi.waitFor(() => expect(begun).toHaveLength(3));
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(begun).toHaveLength(3);
  expect(begun.filter((context) => context === one).length).toBeLessThanOrEqual(2);
  end.resolve("answered");
  expect(new Set((await Promise.all(asked)).map(({ answer }) => answer))).toEqual(new Set(["answered"]));
  expect(begun).toHaveLength(6);
});
