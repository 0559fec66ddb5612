import { methods } from "@/app/api/v1/methods";
import { removeMember, updateMember } from "@/lib/sessions/members/change-member";

export const dynamic = "force-dynamic";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  PATCH: { operation: updateMember, body: true },
  DELETE: { operation: removeMember },
});
