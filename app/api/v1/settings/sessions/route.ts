import { methods } from "@/app/api/v1/methods";
import { listSessions } from "@/lib/sessions/browser-sessions/own-sessions";

export const dynamic = "force-dynamic";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: { operation: listSessions } });
