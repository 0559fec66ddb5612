import type { InngestFunction } from "inngest";

import { analyzeMigration } from "@/inngest/functions/analyze-migration";
import { drainWebhook } from "@/inngest/functions/drain-webhook";
import { retryWebhook } from "@/inngest/functions/retry-webhook";
import { runMigration } from "@/inngest/functions/run-migration";
import { sweepMigrations } from "@/inngest/functions/sweep-migrations";
import { sweepRecords } from "@/inngest/functions/sweep-records";
import { sweepWebhooks } from "@/inngest/functions/sweep-webhooks";

/** Every function, for the worker and for `/api/inngest`. A new function is one file beside this one, and one line here. */
export const functions: readonly InngestFunction.Any[] = [
  analyzeMigration,
  runMigration,
  drainWebhook,
  retryWebhook,
  sweepMigrations,
  sweepRecords,
  sweepWebhooks,
];
