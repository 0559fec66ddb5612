import { methods } from "@/app/api/v1/methods";
import { makeInactiveMembers } from "@/lib/migration/owners/make-members";

export const dynamic = "force-dynamic";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: { operation: makeInactiveMembers, body: true },
});
