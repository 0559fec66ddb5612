import { methods } from "@/app/api/v1/methods";
import { startMigrationDelta } from "@/lib/migration/runs/start-delta";

export const dynamic = "force-dynamic";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: { operation: startMigrationDelta },
});
