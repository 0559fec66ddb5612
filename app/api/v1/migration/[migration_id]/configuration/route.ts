import { methods } from "@/app/api/v1/methods";
import { getConfiguration, putConfiguration } from "@/lib/migration/configuration/configure-migration";

export const dynamic = "force-dynamic";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: { operation: getConfiguration },
  PUT: { operation: putConfiguration, body: true },
});
