import { methods } from "@/app/api/v1/methods";
import { exportConfiguration } from "@/lib/migration/configuration/exported-configuration";

export const dynamic = "force-dynamic";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: { operation: exportConfiguration } });
