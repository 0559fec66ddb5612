import { methods } from "@/app/api/v1/methods";
import { inviteMember } from "@/lib/sessions/members/invite-member";

export const dynamic = "force-dynamic";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ POST: { operation: inviteMember, body: true } });
