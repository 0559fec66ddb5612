import { methods } from "@/app/api/v1/methods";
import { startMigration } from "@/lib/migration/runs/start-migration";

export const dynamic = "force-dynamic";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: { operation: startMigration, body: true },
});
