import type { InngestFunction } from "inngest";

import { analyzeMigration } from "@/inngest/functions/analyze-migration";
import { drainWebhook, retryWebhook } from "@/inngest/functions/drain-webhook";
import { eraseDeletedOrganization } from "@/inngest/functions/erase-organization";
import { proveMigration } from "@/inngest/functions/prove-migration";
import { purgeExpired, purgeOrphanedFiles } from "@/inngest/functions/purge-expired";
import { runMigration } from "@/inngest/functions/run-migration";
import { searchDuplicates } from "@/inngest/functions/search-duplicates";
import { undoMigration } from "@/inngest/functions/undo-migration";

/** Every function, for the worker and for `/api/inngest`. A new function needs a line here. */
export const functions: readonly InngestFunction.Any[] = [
  analyzeMigration,
  runMigration,
  undoMigration,
  searchDuplicates,
  proveMigration,
  eraseDeletedOrganization,
  drainWebhook,
  retryWebhook,
  purgeExpired,
  purgeOrphanedFiles,
];
