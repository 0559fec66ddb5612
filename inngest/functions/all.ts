import type { InngestFunction } from "inngest";

import { analyzeMigration } from "@/inngest/functions/analyze-migration";
import { runMigration } from "@/inngest/functions/run-migration";
import { sweepMigrations } from "@/inngest/functions/sweep-migrations";
import { sweepRecords } from "@/inngest/functions/sweep-records";

/** Every function, for the worker and for `/api/inngest`. A new function is one file beside this one, and one line here. */
export const functions: readonly InngestFunction.Any[] = [analyzeMigration, runMigration, sweepMigrations, sweepRecords];
