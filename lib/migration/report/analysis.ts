import { pool, prisma } from "@/lib/database/db";
import { env } from "@/lib/env";
import { log } from "@/lib/log";
import { findMigrationContents } from "@/lib/migration/migration-contents";
import { openMigrationSource } from "@/lib/migration/connections/open-source";
import { namingObject } from "@/lib/migration/failure";
import type { MigrationKey } from "@/lib/migration/migration-schema";
import { isImported } from "@/lib/migration/objects/imported-objects";
import type { SourceObjectName } from "@/lib/migration/objects/source-object-names";
import { readAutomations } from "@/lib/migration/report/automations/automations";
import { toBoundedJson, keepDuplicates, keepFindings, keepMapping, readDraft } from "@/lib/migration/report/draft";
import { estimateRun } from "@/lib/migration/report/estimate";
import { expectLeftOut } from "@/lib/migration/report/expect-left-out";
import { mapObject } from "@/lib/migration/report/map-object";
import { readApiVersions } from "@/lib/migration/report/api-versions";
import { objectReports } from "@/lib/migration/report/object-reports";
import { readinessOf } from "@/lib/migration/report/readiness";
import { measureFiles } from "@/lib/migration/report/measures/measure-files";
import { countOrphans } from "@/lib/migration/report/quality/count-orphans";
import { type ComparedObject, deleteFound, findDuplicates } from "@/lib/migration/report/quality/find-duplicates";
import type { Report } from "@/lib/migration/report/report-schema";
import { findRisks } from "@/lib/migration/report/risks/find-risks";
import { type Survey, surveyOrg } from "@/lib/migration/report/survey";
import type { LeftOutByObject } from "@/lib/migration/report/wording";
import { moveStatus, statusOf } from "@/lib/migration/status";
import { limitsLeft } from "@/lib/migration/pipeline/read/choose-api";
import { readLimits } from "@/lib/salesforce/describe";
import { countStoredBytes } from "@/lib/storage-quota";

/** Whether the analysis still goes on: a job that was lost may come after the one that was asked for in its place. */
export async function isAnalyzing(key: MigrationKey): Promise<boolean> {
  return (await statusOf(pool(), key)) === "analyzing";
}

/**
 * The steps of an analysis, in their order. Each stores its findings with the migration and can be repeated.
 *
 * Step 1: what the org has. Returns the objects that can be mapped.
 */
export async function survey(key: MigrationKey): Promise<SourceObjectName[]> {
  const found = await surveyOrg(await openMigrationSource(key), (counted) => keepFindings(key, { counted }));
  await keepFindings(key, { survey: found });
  return found.objects.filter(({ readable }) => readable).flatMap(({ name }) => (isImported(name) ? [name] : []));
}

/** Step 2, for each object: the targets of its fields. */
export async function mapFields(key: MigrationKey, object: SourceObjectName): Promise<void> {
  const client = await openMigrationSource(key);
  await keepMapping(key, object, await namingObject(object, () => mapObject(key, client, object)));
}

/** Step 3: the automations of the org, and its remaining API requests. */
export async function readAutomationsAndLimits(key: MigrationKey): Promise<void> {
  const client = await openMigrationSource(key);
  const { automations, automationList } = await readAutomations(client);
  const apiVersions = await readApiVersions(client);
  const limits = await readLimits(client);
  const { requests, bulkJobs } = limitsLeft(limits, client.usage);
  const callsDaily = limits?.DailyApiRequests?.Max ?? client.usage?.limit ?? null;
  const { survey: surveyed } = await readDraft(key);
  const files = await measureFiles(client, surveyed?.objects ?? []);
  const left = { callsRemaining: requests, callsDaily, bulkJobsRemaining: bulkJobs };
  await keepFindings(key, { automations, automationList, apiVersions, files, ...left });
}

/** Step 4, for each object that people enter twice: its duplicates. */
export async function findDuplicatesOf(key: MigrationKey, object: ComparedObject): Promise<void> {
  const { survey: surveyed, callsRemaining = null, mappings } = await readDraft(key);
  if (!surveyed || !mappings[object]) return;
  const { configuration } = await findMigrationContents(key.organizationId, key.migrationId);
  const found = await findDuplicates(key, object, {
    client: await openMigrationSource(key),
    configured: configuration.objects[object],
    of: surveyed.objects.find(({ name }) => name === object)?.count ?? null,
    requestsLeft: callsRemaining,
  });
  if (found) await keepDuplicates(key, object, found);
}

/** Step 5: what may go wrong. */
export async function assessRisks(key: MigrationKey): Promise<void> {
  const draft = await readDraft(key);
  const { survey: surveyed, automations, callsRemaining = null, mappings } = draft;
  if (!surveyed || !automations) throw new Error("The findings of earlier steps are missing.");
  const connection = await prisma().connections.findFirst({
    where: { organization_id: key.organizationId, migrations: { some: { id: key.migrationId } } },
    select: { refresh_token_enc: true },
  });
  const client = await openMigrationSource(key);
  const leftOut = await expectLeftOut({ client, survey: surveyed, mappings });
  const estimate = await estimateFrom({ ...draft, leftOut }, surveyed);
  const renewable = Boolean(connection?.refresh_token_enc);
  const facts = {
    client,
    organizationId: key.organizationId,
    survey: surveyed,
    mappings,
    automations,
    estimate,
    leftOut,
    renewable,
    canSignIn: env.SALESFORCE_CLIENT_ID !== undefined,
  };
  const { configuration } = await findMigrationContents(key.organizationId, key.migrationId);
  const inventory = objectReports(surveyed, mappings, leftOut);
  const orphans = await countOrphans(client, key.organizationId, inventory, configuration, callsRemaining);
  await keepFindings(key, { leftOut, orphans, risks: await findRisks(facts) });
}

type Draft = Awaited<ReturnType<typeof readDraft>>;

function estimateFrom(draft: Draft & { leftOut: LeftOutByObject }, surveyed: Survey): Promise<Report["estimate"]> {
  const { mappings, leftOut, callsRemaining = null, callsDaily = null, bulkJobsRemaining = null, files } = draft;
  const left = { callsRemaining, callsDaily, bulkJobsRemaining };
  return estimateRun({ survey: surveyed, mappings, leftOut, ...left, files });
}

/** Step 6: assembles the report and makes the migration ready. */
export async function completeReport(key: MigrationKey): Promise<void> {
  const draft = await readDraft(key);
  const { survey: surveyed, automations, leftOut, risks, mappings } = draft;
  if (!surveyed || !automations || !leftOut || !risks) throw new Error("The findings of earlier steps are missing.");
  const estimate = await estimateFrom({ ...draft, leftOut }, surveyed);
  const inventory = objectReports(surveyed, mappings, leftOut);
  const report: Report = {
    generated_at: new Date().toISOString(),
    org: surveyed.org,
    analyzed_as: surveyed.analyzedAs,
    readiness: readinessOf(risks, estimate, inventory),
    inventory,
    automations,
    ...(draft.automationList && { automation_list: draft.automationList }),
    ...(draft.apiVersions && { api_versions: draft.apiVersions }),
    ...(draft.orphans && { quality: { duplicates: draft.duplicates, orphans: draft.orphans } }),
    risks,
    estimate,
  };
  await deleteFound(key);
  const json = toBoundedJson(report);
  await moveStatus(pool(), key, "ready", { report: json, failure: null });
  await countStoredBytes(key.organizationId, json.length);
  log.info(
    { migration_id: key.migrationId, records: estimate.records, score: report.readiness.score },
    "analysis ready",
  );
}
