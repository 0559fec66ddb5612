import { methods } from "@/app/api/v1/methods";
import { undoMigration } from "@/lib/migration/undo/undo-migration";

export const dynamic = "force-dynamic";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ POST: { operation: undoMigration } });
