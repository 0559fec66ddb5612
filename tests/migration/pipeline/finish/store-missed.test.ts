import { expect, test, vi } from "vitest";

import { newId } from "@/lib/ids";
import type { RunKey } from "@/lib/migration/migration-schema";
import { SOURCE_OBJECTS } from "@/lib/migration/objects/source-objects";
import { storeMissed } from "@/lib/migration/pipeline/finish/store-missed";
import type { Plan } from "@/lib/migration/pipeline/map/plan";
import type { RunSession } from "@/lib/migration/pipeline/run-session";
import type { SalesforceClient } from "@/lib/salesforce/client";
import { createContext } from "@/tests/support/factories";
import { createMigration } from "@/tests/migration/support/run-migration";
import { sourceId } from "@/tests/migration/support/scripted-source";
import { pool } from "@/tests/support/owner";

/** An org in which ever more records have changed, none of which can be read. Counts the pages of them. */
function endlessOrg(onPage: () => void = () => undefined): { client: SalesforceClient; pages: () => number } {
  let pages = 0;
  const json: SalesforceClient["json"] = async (path, schema) => {
    const soql = decodeURIComponent(path.replaceAll("+", " "));
    if (soql.includes("Id IN (")) return schema.parse({ totalSize: 0, done: true, records: [] });
    pages += 1;
    if (pages > 5) throw new Error("More pages are asked for.");
    onPage();
    const records = Array.from({ length: 2000 }, () => ({ Id: sourceId("003") }));
    return schema.parse({ totalSize: records.length, done: true, records });
  };
  const client = { dataPath: "/services/data/v67.0", json } as unknown as SalesforceClient;
  return { client, pages: () => pages };
}

function look(run: RunKey, client: SalesforceClient): Promise<boolean> {
  const session = { run, client, window: { until: new Date(), since: null } } as unknown as RunSession;
  return storeMissed(session, { object: SOURCE_OBJECTS.Contact, select: ["Id"] } as unknown as Plan, async () => true);
}

test("what a run has missed is looked for no longer than half an hour", async () => {
  const key = await createMigration(["Contact"]);
  await pool().query("UPDATE migrations SET status = 'running', run_number = 1 WHERE id = $1", [key.migrationId]);
  const now = performance.now.bind(performance);
  let late = 0;
  vi.spyOn(performance, "now").mockImplementation(() => now() + late);
  const { client, pages } = endlessOrg(() => (late += 1_000_000));
  expect(await look({ ...key, runNumber: 1 }, client)).toBe(false);
  expect(pages()).toBeLessThanOrEqual(4);
});

test("a run that was stopped looks for nothing more that it has missed", async () => {
  const { organizationId } = await createContext();
  const { client, pages } = endlessOrg();
  expect(await look({ organizationId, migrationId: newId(), runNumber: 1 }, client)).toBe(false);
  expect(pages()).toBeLessThanOrEqual(2);
});
