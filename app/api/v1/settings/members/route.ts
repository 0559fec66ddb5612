import { methods } from "@/app/api/v1/methods";
import { addMember } from "@/lib/sessions/members/add-member";
import { listMembers } from "@/lib/sessions/members/list-members";

export const dynamic = "force-dynamic";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: { operation: listMembers },
  POST: { operation: addMember, body: true },
});
