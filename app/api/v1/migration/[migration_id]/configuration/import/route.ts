import { methods } from "@/app/api/v1/methods";
import { importConfiguration } from "@/lib/migration/configuration/exported-configuration";

export const dynamic = "force-dynamic";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: { operation: importConfiguration, body: true },
});
