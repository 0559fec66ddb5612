import { methods } from "@/app/api/v1/methods";
import { endOtherSessions } from "@/lib/sessions/browser-sessions/own-sessions";

export const dynamic = "force-dynamic";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ POST: { operation: endOtherSessions } });
