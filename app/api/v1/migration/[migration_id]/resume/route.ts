import { methods } from "@/app/api/v1/methods";
import { resumeMigration } from "@/lib/migration/runs/control-run";

export const dynamic = "force-dynamic";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: { operation: resumeMigration },
});
