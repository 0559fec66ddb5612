import { methods } from "@/app/api/v1/methods";
import { previewDuplicates } from "@/lib/migration/duplicates/preview-duplicates";

export const dynamic = "force-dynamic";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: { operation: previewDuplicates, body: true },
});
