import { registerJobSender } from "@/lib/jobs";
import { analyzeMigration } from "@/lib/migration/analyze-migration";
import { getReport } from "@/lib/migration/read-migrations";
import type { Report, Risk } from "@/lib/migration/report/report-schema";
import { COMPARED_OBJECTS } from "@/lib/migration/report/quality/find-duplicates";
import type { MigrationKey } from "@/lib/migration/migration-schema";
import { execute, valueOf } from "@/lib/operation";
import {
  assessRisks,
  completeReport,
  findDuplicatesOf,
  mapFields,
  readAutomationsAndLimits,
  survey,
} from "@/tests/migration/support/within";
import type { RunningOrg } from "@/sandbox-org/start";
import { createContext } from "@/tests/support/factories";

/** Connects an org for a new organization. Its analysis is enqueued but not run. */
export async function connect(org: RunningOrg, organizationId?: string): Promise<MigrationKey> {
  registerJobSender(async () => undefined);
  const context = await createContext(organizationId ? { organizationId } : {});
  const input = { ext_instance_url: org.instanceUrl, ext_access_token: org.accessToken };
  const { migration_id } = valueOf(await execute(analyzeMigration, context, input));
  return { organizationId: context.organizationId, migrationId: migration_id };
}

/** Runs the steps of an analysis as its job does. */
export async function analyze(key: MigrationKey): Promise<void> {
  const objects = await survey(key);
  for (const object of objects) await mapFields(key, object);
  await readAutomationsAndLimits(key);
  for (const object of COMPARED_OBJECTS.filter((name) => objects.includes(name))) await findDuplicatesOf(key, object);
  await assessRisks(key);
  await completeReport(key);
}

export async function reportOf({ organizationId, migrationId }: MigrationKey): Promise<Report> {
  const context = await createContext({ organizationId });
  return valueOf(await execute(getReport, context, { migration_id: migrationId }));
}

/** Connects and analyzes an org and returns the report. */
export async function analyzeOrg(org: RunningOrg): Promise<Report> {
  const key = await connect(org);
  await analyze(key);
  return reportOf(key);
}

export function risksNamed(report: Report, code: string): Risk[] {
  return report.risks.filter((risk) => risk.code === code);
}
