import { methods } from "@/app/api/v1/methods";
import { getUndoImpact } from "@/lib/migration/undo/undo-impact";

export const dynamic = "force-dynamic";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: { operation: getUndoImpact } });
