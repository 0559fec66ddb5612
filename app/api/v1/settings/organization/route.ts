import { methods } from "@/app/api/v1/methods";
import { getOrganization } from "@/lib/settings/organization/read-organization";
import { updateOrganization } from "@/lib/settings/organization/update-organization";

export const dynamic = "force-dynamic";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: { operation: getOrganization },
  PATCH: { operation: updateOrganization, body: true },
});
