import { methods } from "@/app/api/v1/methods";
import { previewMigration } from "@/lib/migration/preview/preview-migration";

export const dynamic = "force-dynamic";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: { operation: previewMigration, body: true },
});
