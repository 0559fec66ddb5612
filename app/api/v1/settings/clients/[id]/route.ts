import { methods } from "@/app/api/v1/methods";
import { getClient } from "@/lib/oauth/clients/read-clients";
import { revokeClient } from "@/lib/oauth/clients/revoke-client";
import { updateClient } from "@/lib/oauth/clients/update-client";

export const dynamic = "force-dynamic";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: { operation: getClient },
  PATCH: { operation: updateClient, body: true },
  DELETE: { operation: revokeClient },
});
