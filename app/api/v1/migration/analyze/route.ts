import { methods } from "@/app/api/v1/methods";
import { analyzeMigration } from "@/lib/migration/analyze-migration";

export const dynamic = "force-dynamic";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: { operation: analyzeMigration, body: true },
});
