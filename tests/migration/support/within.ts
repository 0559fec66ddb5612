import { inOrganization } from "@/lib/database/organization-scope";
import * as connections from "@/lib/migration/connections/open-source";
import * as views from "@/lib/migration/find-migration";
import * as stored from "@/lib/migration/migration-contents";
import * as issues from "@/lib/migration/pipeline/load/store-outcomes";
import * as working from "@/lib/migration/pipeline/work-slice";
import * as analysis from "@/lib/migration/report/analysis";
import * as retrying from "@/lib/migration/runs/start-retry";
import * as deltas from "@/lib/migration/runs/start-delta";
import * as starting from "@/lib/migration/runs/start-migration";

// Functions that jobs and operations call in the scope of their organization. Here each enters the scope itself.

function byKey<Key extends { organizationId: string }, Rest extends unknown[], Result>(
  work: (key: Key, ...rest: Rest) => Promise<Result>,
) {
  return (key: Key, ...rest: Rest) => inOrganization(key.organizationId, () => work(key, ...rest));
}

function byId<Rest extends unknown[], Result>(work: (organizationId: string, ...rest: Rest) => Promise<Result>) {
  return (organizationId: string, ...rest: Rest) => inOrganization(organizationId, () => work(organizationId, ...rest));
}

export const survey = byKey(analysis.survey);
export const mapFields = byKey(analysis.mapFields);
export const readAutomationsAndLimits = byKey(analysis.readAutomationsAndLimits);
export const findDuplicatesOf = byKey(analysis.findDuplicatesOf);
export const assessRisks = byKey(analysis.assessRisks);
export const completeReport = byKey(analysis.completeReport);
export const workSlice = byKey(working.workSlice);
export const endWithFailure = byKey(working.failRunAfter);
export const openConnection = byId(connections.openConnection);
export const openMigrationSource = byKey(connections.openMigrationSource);
export const findMigration = byId(views.findMigration);
export const findStored = byId(stored.findMigrationContents);

export const startRun: typeof starting.startRun = (client, key, given, phase) => {
  return inOrganization(key.organizationId, () => starting.startRun(client, key, given, phase));
};
export const startRetry: typeof retrying.startRetry = (client, key) => {
  return inOrganization(key.organizationId, () => retrying.startRetry(client, key));
};
export const startDelta: typeof deltas.startDelta = (client, key) => {
  return inOrganization(key.organizationId, () => deltas.startDelta(client, key));
};
export const storeIssues: typeof issues.storeIssues = (client, run, ...rest) => {
  return inOrganization(run.organizationId, () => issues.storeIssues(client, run, ...rest));
};
