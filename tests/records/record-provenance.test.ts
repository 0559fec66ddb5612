import { beforeEach, expect, test } from "vitest";

import { registerJobSender } from "@/lib/jobs";
import { newId } from "@/lib/ids";
import { createOperation, updateOperation } from "@/lib/records/operations";
import { provenanceOperation } from "@/lib/records/provenance";
import { createMigration, runMigration } from "@/tests/migration/support/run-migration";
import { ScriptedSource, sourceId, sourceRecord } from "@/tests/migration/support/scripted-source";
import { refusal, run } from "@/tests/records/support/write-operations";
import { createContext, NEEDED } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";

beforeEach(() => registerJobSender(async () => undefined));

const ORG = "https://scripted.my.salesforce.com";

/** An imported account, and what its provenance has before anything else happens. */
async function imported() {
  const { organizationId, migrationId } = await createMigration(["Account"]);
  await runMigration(
    { organizationId, migrationId },
    new ScriptedSource({ Account: [sourceRecord("001", 1, { Name: "One" })] }),
  );
  const { rows } = await pool().query<{ id: string; ext_id: string }>(
    "SELECT id, ext_id FROM accounts WHERE organization_id = $1",
    [organizationId],
  );
  const [account] = rows;
  if (!account) throw new Error("The account was not imported.");
  const context = await createContext({ organizationId });
  const expected = {
    ext_id: account.ext_id,
    source_url: `${ORG}/${account.ext_id}`,
    migration: { migration_id: migrationId, org_name: null, ext_instance_url: ORG },
    is_edited: false,
    merged: [],
  };
  return { context, id: account.id, migrationId, expected };
}

test("an imported record leads to its source and its migration, and tells whether it was edited", async () => {
  const { context, id, expected } = await imported();
  expect(await run(provenanceOperation("accounts"), context, { id })).toEqual(expected);
  await run(updateOperation("accounts"), context, { id, phone: "1" });
  expect(await run(provenanceOperation("accounts"), context, { id })).toEqual({ ...expected, is_edited: true });
});

test("duplicates that became the same record are listed, each with its own org", async () => {
  const { context, id, migrationId, expected } = await imported();
  const [known, unknown] = [sourceId("001", 7), sourceId("001", 8)];
  await pool().query(
    `INSERT INTO ext_aliases (organization_id, ext_id, entity, record_id, migration_id)
     VALUES ($1, $2, 'accounts', $4, $5), ($1, $3, 'accounts', $4, NULL)`,
    [context.organizationId, known, unknown, id, migrationId],
  );
  expect(await run(provenanceOperation("accounts"), context, { id })).toEqual({
    ...expected,
    merged: [
      { ext_id: known, source_url: `${ORG}/${known}` },
      { ext_id: unknown, source_url: null },
    ],
  });
});

test("a record that no migration imported has no source, whatever its external id", async () => {
  const context = await createContext();
  const { id } = await run(createOperation("leads"), context, { ...NEEDED.leads, ext_id: "00Q000000000001AAA" });
  expect(await run(provenanceOperation("leads"), context, { id })).toEqual({
    ext_id: "00Q000000000001AAA",
    source_url: null,
    migration: null,
    is_edited: null,
    merged: [],
  });
});

test("another organization's record, an unknown id and what is no id are not found", async () => {
  const { id } = await imported();
  const context = await createContext();
  for (const asked of [id, newId(), "1"])
    expect(await refusal(run(provenanceOperation("accounts"), context, { id: asked }))).toMatchObject({
      code: "not_found",
    });
});
