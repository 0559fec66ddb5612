import { z } from "zod";

import type { Context } from "@/lib/context";
import { answeringTransaction } from "@/lib/database/transactions";
import { AppError } from "@/lib/errors";
import { pathId } from "@/lib/input/ids-and-times";
import { assertConfiguration } from "@/lib/migration/configuration/assert-configuration";
import type { Configuration } from "@/lib/migration/configuration/configuration-schema";
import { givenConfiguration, givenObject } from "@/lib/migration/configuration/given-configuration";
import { searchSummaries } from "@/lib/migration/duplicates/duplicates-schema";
import { summarizeSearches } from "@/lib/migration/duplicates/list-duplicates";
import { workSearch } from "@/lib/migration/duplicates/search";
import {
  deleteSearches,
  failSearch,
  findSearches,
  fixReadUntil,
  type Search,
  startSearch,
} from "@/lib/migration/duplicates/searches";
import { enqueueSearch } from "@/lib/migration/enqueue-jobs";
import { describeFailure, isTransient } from "@/lib/migration/failure";
import { findMigrationContents, requireReport } from "@/lib/migration/migration-contents";
import { IMPORT_ORDER, type SourceObjectName } from "@/lib/migration/objects/source-object-names";
import { planObject } from "@/lib/migration/pipeline/map/plan";
import { describeVisible } from "@/lib/migration/pipeline/read/visible-fields";
import { sourceClock } from "@/lib/migration/pipeline/read/window";
import type { MigrationKey } from "@/lib/migration/migration-schema";
import { defineOperation } from "@/lib/operation";
import type { SalesforceClient } from "@/lib/salesforce/client";

export const previewDuplicates = defineOperation({
  name: "preview_migration_duplicates",
  summary:
    "Search for duplicates by the rules of the configuration, among the records of the Salesforce org and with " +
    "those that are here, as a run would merge them. No record is written. The search is a job; its result is listed " +
    "by `GET /migration/{migration_id}/duplicates?of=preview`.",
  scopes: ["crm:write"],
  stores: true,
  status: 202,
  input: z.strictObject({
    migration_id: pathId("migration"),
    object: givenObject.optional().describe("This object only; absent: every one that has rules."),
    configuration: givenConfiguration.optional().describe("Choices to try. Absent: those that are stored."),
  }),
  output: searchSummaries,
  async run(context, { migration_id: migrationId, object, configuration: given }) {
    const { organizationId } = context;
    const stored = await findMigrationContents(organizationId, migrationId);
    const report = requireReport(stored);
    if (given) await assertConfiguration(organizationId, given, report, "/configuration");
    const key = { organizationId, migrationId };
    return startSearches(context, key, given ?? stored.configuration, object);
  },
});

function noRules(object: SourceObjectName | undefined): AppError {
  const detail =
    `No rules for duplicates ${object ? `of ${object} ` : ""}are configured. Choose some in ` +
    `\`objects.${object ?? "Contact"}.duplicates.rules\` by \`PUT /migration/{migration_id}/configuration\`.`;
  return new AppError("illegal_state", detail);
}

/** Throws `illegal_state` without rules. */
async function startSearches(
  context: Context,
  key: MigrationKey,
  { objects }: Configuration,
  only?: SourceObjectName,
): Promise<z.input<typeof searchSummaries>> {
  const searches = IMPORT_ORDER.filter((name) => only === undefined || name === only).flatMap((object) => {
    const { duplicates: choices, fields = {}, values = {} } = objects[object] ?? {};
    const search = {
      object,
      purpose: "preview" as const,
      run_number: 0,
      mapping: { fields, values },
      read_until: null,
    };
    return choices?.rules.length ? [{ ...search, choices }] : [];
  });
  const [first] = searches;
  if (!first) throw noRules(only);
  await deleteSearches(key, "preview", (name) => searches.some(({ object }) => object === name));
  return answeringTransaction(context, async (client) => {
    const started: Search[] = [];
    for (const search of searches) started.push(await startSearch(client, key, search));
    await enqueueSearch(client, key, started[0]?.id ?? "");
    return summarizeSearches(key, client);
  });
}

/** Opens a client on the source of a migration. */
type OpenMigrationSource = (key: MigrationKey) => Promise<SalesforceClient>;

/**
 * Works on the searches of a preview for about `milliseconds`. Throws transient errors, so that the job retries; all
 * others end a search in `failed`.
 */
export async function workPreview(
  key: MigrationKey,
  openMigrationSource: OpenMigrationSource,
  milliseconds: number,
): Promise<"more" | "ended"> {
  const deadline = performance.now() + milliseconds;
  for (;;) {
    const search = (await findSearches(key, "preview")).find(({ status }) => status.startsWith("reading"));
    if (!search) return "ended";
    try {
      const client = await openMigrationSource(key);
      await previewOne(key, search, client, deadline);
    } catch (error) {
      if (isTransient(error)) throw error;
      await failSearch(key, search.id, describeFailure(error, "search"));
    }
    if (performance.now() >= deadline) return "more";
  }
}

async function previewOne(
  key: MigrationKey,
  search: Search,
  client: SalesforceClient,
  deadline: number,
): Promise<void> {
  const plan = planObject(search.object, await describeVisible(client, search.object), search.mapping);
  const until = search.read_until ?? (await sourceClock(client));
  if (search.read_until === null) await fixReadUntil(key, search.id, until);
  await workSearch(key, { ...search, read_until: until }, { client, plan }, deadline);
}

/** Ends the searches of a preview after a fault that does not pass. */
export async function failPreview(key: MigrationKey, error: unknown): Promise<void> {
  for (const { id, status } of await findSearches(key, "preview")) {
    if (status.startsWith("reading")) await failSearch(key, id, describeFailure(error, "search"));
  }
}
