import { methods } from "@/app/api/v1/methods";
import { endOwnSession } from "@/lib/sessions/browser-sessions/own-sessions";

export const dynamic = "force-dynamic";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ DELETE: { operation: endOwnSession } });
