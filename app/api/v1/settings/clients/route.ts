import { methods } from "@/app/api/v1/methods";
import { listClients } from "@/lib/oauth/clients/read-clients";
import { createClient } from "@/lib/oauth/clients/register-client";

export const dynamic = "force-dynamic";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: { operation: listClients },
  POST: { operation: createClient, body: true },
});
