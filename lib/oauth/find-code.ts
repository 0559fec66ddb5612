import { sha256 } from "@/lib/crypto";
import { pool } from "@/lib/db";
import { acrossOrganizations } from "@/lib/organization-scope";

/** An authorization code as it is kept, with what is true of it at this moment. */
export interface StoredCode {
  id: string;
  client_id: string;
  user_id: string;
  organization_id: string;
  redirect_uri: string;
  scopes: string[];
  code_challenge: string;
  resource: string[];
  is_used: boolean;
  is_expired: boolean;
  /** Whether the user who allowed it is still an active member of the organization. */
  is_user_active: boolean;
  /** Whether its redirect URI is still one of the client's. */
  is_redirect_registered: boolean;
}

const FIND_CODE = `
  SELECT c.id, c.client_id, c.user_id, c.organization_id, c.redirect_uri, c.scopes, c.code_challenge, c.resource,
    c.used_at IS NOT NULL AS is_used, c.expires_at <= now() AS is_expired, m.user_id IS NOT NULL AS is_user_active,
    c.redirect_uri = ANY (oc.redirect_uris) AS is_redirect_registered
  FROM oauth_codes c
  JOIN oauth_clients oc ON oc.id = c.client_id
  LEFT JOIN memberships m ON m.user_id = c.user_id AND m.organization_id = c.organization_id AND m.disabled_at IS NULL
  WHERE c.code_hash = $1`;

export async function findCode(code: string): Promise<StoredCode | undefined> {
  const { rows } = await acrossOrganizations(() => pool().query<StoredCode>(FIND_CODE, [sha256(code)]));
  return rows[0];
}
