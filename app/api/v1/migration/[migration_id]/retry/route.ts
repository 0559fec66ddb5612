import { methods } from "@/app/api/v1/methods";
import { retryMigration } from "@/lib/migration/runs/start-retry";

export const dynamic = "force-dynamic";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ POST: { operation: retryMigration } });
