import type { PoolClient } from "pg";

import { randomSecret, sha256 } from "@/lib/crypto";
import { newId } from "@/lib/ids";

/** Gives a client one more secret and returns it. It is never seen again: only its digest is kept. */
export async function addClientSecret(client: PoolClient, clientRowId: string): Promise<string> {
  const secret = `crm_secret_${randomSecret()}`;
  await client.query("INSERT INTO oauth_client_secrets (id, client_id, secret_hash, created_at) VALUES ($1, $2, $3, now())", [
    newId(),
    clientRowId,
    sha256(secret),
  ]);
  return secret;
}
