import { methods } from "@/app/api/v1/methods";
import { endMemberSessions } from "@/lib/sessions/members/change-member";

export const dynamic = "force-dynamic";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ POST: { operation: endMemberSessions } });
