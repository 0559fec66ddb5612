import { methods } from "@/app/api/v1/methods";
import { getMigration } from "@/lib/migration/read-migrations";

export const dynamic = "force-dynamic";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: { operation: getMigration } });
