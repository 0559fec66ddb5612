import { methods } from "@/app/api/v1/methods";
import { reconnectMigration } from "@/lib/migration/connections/reconnect-migration";

export const dynamic = "force-dynamic";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: { operation: reconnectMigration, body: true },
});
