import { pool } from "@/lib/database/db";
import { postgresCode } from "@/lib/database/error-codes";
import { unavailability } from "@/lib/unavailable";
import { AppError, type ErrorCode } from "@/lib/errors";
import { StorageError } from "@/lib/files/file-storage";
import { WORKER_DIED } from "@/lib/jobs";
import { log } from "@/lib/log";
import type { Failure, MigrationKey } from "@/lib/migration/migration-schema";
import { objectName, type SourceObjectName } from "@/lib/migration/objects/source-object-names";
import { moveStatus, unlessEnded } from "@/lib/migration/status";
import { SalesforceError } from "@/lib/salesforce/errors";
import { isObjectHidden, isRefreshDenied, naming } from "@/lib/salesforce/refusals";

/** The work that can fail, each with the sentence that says how to go on once the cause is removed. */
const AGAIN = {
  analysis: "Then analyze the org again.",
  search: "Then search for duplicates again.",
  "paused migration": "Then the migration goes on by itself where it stopped.",
  undo: "Then undo the migration again: it goes on with what is left.",
  proof: "Then compare again.",
  migration: "Then run the migration again: what has been imported stays, and nothing is imported twice.",
} as const;

const REMEDIES: Partial<Record<ErrorCode, string>> = {
  source_token_refused:
    "Connect the Salesforce org again as the same Salesforce user, with a new access token or by signing in there.",
  source_unreachable:
    "Check that the Salesforce org is up (status.salesforce.com) and can be reached from this service.",
  source_api_disabled: "Ask an administrator of the Salesforce org to enable the API for its user.",
  source_not_salesforce: "Check that the address is that of the Salesforce org itself, and connect it again.",
  source_access_denied: "Ask an administrator of the Salesforce org to give its user access.",
  source_limit_exceeded:
    "Wait until the Salesforce org has API requests left; they become free again 24 hours after they were made.",
  source_sign_in_not_set_up:
    "Connect the Salesforce org again with an access token, or have whoever runs this service set up signing in at " +
    "Salesforce.",
  storage_quota_exceeded:
    "Delete what is not needed, or have whoever runs this service let the organization store more.",
  illegal_state: "Wait until the migration has come to its end.",
  invalid_request: "Change the configuration of the migration.",
  too_many_requests: "Wait until less is changed in the organization at the same time.",
};

const CORRECT_IT = "See what Salesforce says above, and correct it there.";

const REPORT_IT =
  "Tell whoever runs this service the time and the id of the migration, which the address of its page has, so that " +
  "they find the cause in its log.";

const DISCONNECTED = "The Salesforce org is disconnected: the access to it was deleted here.";

/** The error for reading an org that has been disconnected. */
export function orgDisconnected(): SalesforceError {
  return new SalesforceError("source_token_refused", DISCONNECTED);
}

/** Does work on an object. A permanent error that concerns this work, and not the whole org, names the object. */
export async function namingObject<Done>(object: SourceObjectName, work: () => Promise<Done>): Promise<Done> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof SalesforceError) || error.transient) throw error;
    if (error.code !== "source_error" && !isObjectHidden(error)) throw error;
    throw naming(objectName(object), error);
  }
}

function remedyOf(error: AppError): string {
  if (isRefreshDenied(error)) return CORRECT_IT;
  // Of requests at the same time, which becomes free sooner than those of a day.
  const isPassing = error instanceof SalesforceError && error.transient && error.code === "source_limit_exceeded";
  if (isPassing) return "Wait until fewer long requests run in the Salesforce org.";
  return REMEDIES[error.code] ?? (error instanceof SalesforceError ? CORRECT_IT : REPORT_IT);
}

/** Why work failed and how to go on, for the user. The cause of a defect on our side stays in the log. */
export function describeFailure(error: unknown, work: keyof typeof AGAIN): Failure {
  const isDenied = isRefreshDenied(error);
  // Nothing tells us when Salesforce has been mended, as new access does.
  const again = isDenied && work === "paused migration" ? "Then resume the migration." : AGAIN[work];
  if (error instanceof AppError) {
    const remedy = `${remedyOf(error)} ${again}`;
    return { code: error.code, detail: error.message, remedy, ...(isDenied && { denied: true }) };
  }
  if (error instanceof StorageError)
    return {
      code: "internal_error",
      detail: error.message,
      remedy: `Have whoever runs this service look after its storage of files. ${again}`,
    };
  if (unavailability(error))
    return {
      code: "service_unavailable",
      detail: "The database had no room, time or connection for this.",
      remedy: `Have whoever runs this service look after its database. ${again}`,
    };
  if (error instanceof Error && error.name === WORKER_DIED)
    return {
      code: "worker_died",
      detail:
        `The ${work} was stopped because the process that ran it crashed twice. Most likely an answer of Salesforce ` +
        "was larger than expected.",
      remedy: `${REPORT_IT} ${again}`,
    };
  return {
    code: "internal_error",
    detail: `The ${work} stopped because of a defect on our side.`,
    remedy: `${REPORT_IT} ${again}`,
  };
}

/**
 * Errors that pass: connection failures, deadlocks, lack of resources, objects in use, operator intervention
 * (PostgreSQL, Appendix A), sockets, and Prisma's codes of sockets (server unreachable, timeout, connection closed).
 */
const TRANSIENT_CODE = new RegExp(
  [
    "^(?:08|40|53|55|57)[0-9A-Z]{3}$",
    "^(?:ECONN|ETIMEDOUT|EPIPE|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN|ENOTFOUND)",
    "^P10(?:01|02|08|17)$",
  ].join("|"),
);

/**
 * Whether the same work may succeed when it is repeated: the source is busy or unreachable, or the database, network or
 * storage of files is down for a moment.
 */
export function isTransient(error: unknown): boolean {
  if (error instanceof SalesforceError || error instanceof StorageError) return error.transient;
  if (error instanceof AppError) return error.code === "too_many_requests";
  if (!(error instanceof Error)) return false;
  if (unavailability(error)) return true;
  const code = postgresCode(error) ?? ("code" in error ? error.code : undefined);
  return typeof code === "string" && TRANSIENT_CODE.test(code);
}

interface FailedWork {
  work: "analysis" | "migration" | "proof" | "undo";
  migrationId: string;
  runNumber?: number;
}

/** Logs why work failed. Whoever disconnects an org, or deletes the organization, means to end it: that is no error. */
export function logFailure({ work, migrationId, runNumber }: FailedWork, failure: Failure, error: unknown): void {
  const names = { migration_id: migrationId, run_number: runNumber, failure_code: failure.code };
  if (failure.detail === DISCONNECTED) log.info(names, `${work} ended: the Salesforce org was disconnected`);
  else log.error({ ...names, err: error }, `${work} failed`);
}

/** Ends an analysis in `analysis_failed` and stores the reason. Does nothing if the analysis has already ended. */
export async function failAnalysis(key: MigrationKey, error: unknown): Promise<void> {
  const failure = describeFailure(error, "analysis");
  logFailure({ work: "analysis", migrationId: key.migrationId }, failure, error);
  await unlessEnded(moveStatus(pool(), key, "analysis_failed", { failure, report: null }));
}
