import { inngest } from "@/inngest/client";
import type { Step } from "@/inngest/functions/slices";
import { purgeIdempotencyKeys } from "@/lib/database/purge-idempotency-keys";
import { purgeFiles, purgeFilesOf, purgeUnfinished } from "@/lib/files/purge-files";
import { purgeConnectionAttempts } from "@/lib/migration/connections/sign-in";
import { purgeConnections } from "@/lib/migration/connections/supersede-connections";
import { purgeCodes } from "@/lib/oauth/authorization/issue-code";
import { purgePendingRequests } from "@/lib/oauth/authorization/pending-requests";
import { purgeDeleted, purgeEvents } from "@/lib/records/purge";
import { purgeSessions } from "@/lib/sessions/browser-sessions/session-store";
import { reenqueueErasures } from "@/lib/settings/organization/enqueue-erasure";
import { purgeAttempts, purgeDeliveries, purgePaces } from "@/lib/webhooks/deliveries/purge-deliveries";
import { purgeSecrets } from "@/lib/webhooks/endpoints/rotate-secret";

/** What is kept for a limited time (docs/deploy.md, “What is kept, and how long”), in the order of the purges. */
export const PURGES = {
  deleted: () => purgeDeleted(purgeFilesOf),
  "unfinished files": purgeUnfinished,
  // Before the events, without which deliveries could not be sent.
  deliveries: purgeDeliveries,
  attempts: purgeAttempts,
  "paces of imports": purgePaces,
  events: purgeEvents,
  "kept answers": purgeIdempotencyKeys,
  secrets: purgeSecrets,
  sessions: purgeSessions,
  "requests of apps": purgePendingRequests,
  codes: purgeCodes,
  "sign-ins": purgeConnectionAttempts,
  connections: purgeConnections,
  // Asked for again where they are still there.
  "deleted organizations": reenqueueErasures,
};

/** The id stays what it was: an Inngest server would take another one for another function. */
export const purgeExpired = inngest.createFunction(
  { id: "sweep-records", triggers: [{ cron: "17 * * * *" }], retries: 0, concurrency: 1 },
  ({ step }) => runEach(step, PURGES),
);

/**
 * Finds the files that are left: those of records that an undo has deleted for good, and those whose purge has failed
 * or had no time left. It looks at all files, so it is rare and holds up no other purge.
 */
export const purgeOrphanedFiles = inngest.createFunction(
  { id: "purge-files", triggers: [{ cron: "47 3 * * *" }], retries: 0, concurrency: 1 },
  ({ step }) => step.run("files", purgeFiles),
);

/** Runs the steps one after another, also after one has failed; throws the first failure at the end. */
export async function runEach(step: Step, steps: Record<string, () => Promise<unknown>>): Promise<void> {
  const failures: unknown[] = [];
  for (const [id, work] of Object.entries(steps))
    await step.run(id, work).catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}
