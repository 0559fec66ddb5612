import { methods } from "@/app/api/v1/methods";
import { exportOrganization } from "@/lib/settings/organization/export/export-organization";

export const dynamic = "force-dynamic";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: { operation: exportOrganization } });
