import { inngest } from "@/inngest/client";
import { sweepMigrations as sweep } from "@/lib/migration/sweep-migrations";

/** Finds migrations whose job was never asked for, because a process died at the wrong moment. */
export const sweepMigrations = inngest.createFunction(
  { id: "sweep-migrations", triggers: [{ cron: "*/5 * * * *" }], retries: 0, concurrency: 1 },
  ({ step }) => step.run("sweep", sweep),
);
