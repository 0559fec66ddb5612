import { createHash, randomBytes } from "node:crypto";

import { inOrganization } from "@/lib/database/organization-scope";
import { newId } from "@/lib/ids";
import { endClientSecret, rotateClientSecret } from "@/lib/oauth/clients/client-secrets";
import { registerClient } from "@/lib/oauth/clients/register-client";
import { createOrganization } from "@/lib/sessions/people/organizations";
import { PASSWORD } from "@/tests/oauth/support/fixtures";
import { createContext } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";

/** An API client as requests can name it. */
export interface FuzzedClient {
  id: string;
  clientId: string;
  /** Any of these opens it at this moment. */
  secrets: string[];
  /** Secrets that no longer work. */
  endedSecrets: string[];
  redirectUris: string[];
  scopes: string[];
  isRevoked: boolean;
}

/** A code as it was issued, in every way that one may be. */
export interface FuzzedCode {
  code: string;
  client: FuzzedClient;
  verifier: string;
  redirectUri: string;
  scope: string;
  isLive: boolean;
}

export interface World {
  organizationId: string;
  userId: string;
  email: string;
  clients: FuzzedClient[];
  /** Belongs to a disabled person, whose codes do not work. */
  disabledUserId: string;
}

const REDIRECT_URIS = [
  [
    "https://client.example/callback?kept=1",
    "https://client.example/callback",
    "http://127.0.0.1:8080/cb",
    "http://localhost/cb",
  ],
  ["https://other.example/", "https://client.example:8443/callback", "https://xn--bcher-kva.example/r?a=b&c=%20d"],
  ["https://client.example/revoked"],
];

/**
 * An organization with an admin who can sign in, and three clients: one with secrets old and new, one of another kind,
 * one revoked.
 */
export async function makeWorld(): Promise<World> {
  const email = `fuzz-${randomBytes(6).toString("hex")}@example.com`;
  const ids = await createOrganization({ name: "Acme", admin: { email, name: "Ada Admin", password: PASSWORD } });
  const clients: FuzzedClient[] = [];
  for (const [index, redirectUris] of REDIRECT_URIS.entries()) {
    const scopes = index === 1 ? (["erp:read"] as const) : (["crm:read", "crm:write"] as const);
    const { id, client_id, client_secret } = await inOrganization(ids.organizationId, () =>
      registerClient(ids, { name: "Fuzzed", redirect_uris: redirectUris, scopes: [...scopes] }),
    );
    clients.push({
      id,
      clientId: client_id,
      secrets: [client_secret],
      endedSecrets: [],
      redirectUris,
      scopes: [...scopes],
      isRevoked: index === 2,
    });
  }
  const [rotated, , revoked] = clients;
  if (rotated) await rotateTwice(ids, rotated);
  await pool().query("UPDATE oauth_clients SET revoked_at = now() WHERE id = $1", [revoked?.id]);
  const disabled = await createContext({ organizationId: ids.organizationId });
  await pool().query("UPDATE memberships SET disabled_at = now() WHERE user_id = $1", [disabled.userId]);
  return { ...ids, email, clients, disabledUserId: disabled.userId };
}

/** Afterwards the first secret has ended, and two are good. */
async function rotateTwice(ids: { organizationId: string; userId: string }, client: FuzzedClient): Promise<void> {
  const context = {
    ...ids,
    requestId: newId(),
    role: "admin" as const,
    clientId: null,
    scopes: new Set<never>(),
    address: null,
  };
  for (let rotation = 0; rotation < 2; rotation += 1) {
    const { rows } = await pool().query<{ id: string }>(
      "SELECT id FROM oauth_client_secrets WHERE client_id = $1 AND expires_at IS NULL",
      [client.id],
    );
    const rotated = await inOrganization(ids.organizationId, () =>
      rotateClientSecret.run(context, { id: client.id, overlap_hours: 24 }),
    );
    if ("client_secret" in rotated) client.secrets.push(rotated.client_secret);
    if (rotation > 0) continue;
    await inOrganization(ids.organizationId, () =>
      endClientSecret.run(context, { id: client.id, secret_id: rows[0]?.id ?? "" }),
    );
    client.endedSecrets.push(...client.secrets.splice(0, 1));
  }
}

/** The ways in which a code can be invalid, and the valid one, which is the most frequent. */
const FATES = [
  "live",
  "live",
  "live",
  "live",
  "expired",
  "used",
  "of nobody active",
  "of a redirect URI taken away",
] as const;

/** Which client a code is issued to: the revoked one less often. */
const OWNERS = [0, 1, 0, 1, 2];
/** A code of every fate for each of them. */
export const CODES = FATES.length * OWNERS.length;

const INSERT_CODES = `
  INSERT INTO oauth_codes
    (id, code_hash, grant_id, client_id, user_id, organization_id,
      redirect_uri, scopes, code_challenge, resource, created_at, expires_at, used_at)
  SELECT r.id, decode(r.hash, 'hex'), g.id, r.client_id, r.user_id, $2,
    r.redirect_uri, r.scopes, r.challenge, '{}', now(),
    now() + r.seconds * interval '1 second', CASE WHEN r.used THEN now() END
  FROM json_to_recordset($1) AS r (id uuid, hash text, client_id uuid, user_id uuid,
    redirect_uri text, scopes text[], challenge text, seconds int, used boolean)
  JOIN oauth_grants g ON g.client_id = r.client_id AND g.user_id = r.user_id`;

/** Issues fresh codes of every fate and client, in one statement. */
export async function mintCodes(world: World): Promise<FuzzedCode[]> {
  const minted = Array.from({ length: CODES }, (_, index) => mint(world, index));
  await pool().query(INSERT_CODES, [JSON.stringify(minted.map(({ row }) => row)), world.organizationId]);
  return minted.map(({ code }) => code);
}

function mint(world: World, index: number): { code: FuzzedCode; row: object } {
  const fate = FATES[index % FATES.length];
  const client = world.clients[OWNERS[Math.floor(index / FATES.length) % OWNERS.length] ?? 0] as FuzzedClient;
  const verifier = randomBytes(32).toString("base64url");
  const redirectUri =
    fate === "of a redirect URI taken away"
      ? "https://client.example/taken-away"
      : (client.redirectUris[index % client.redirectUris.length] ?? "");
  const code = randomBytes(32).toString("base64url");
  const row = {
    id: newId(),
    hash: createHash("sha256").update(code).digest("hex"),
    client_id: client.id,
    user_id: fate === "of nobody active" ? world.disabledUserId : world.userId,
    redirect_uri: redirectUri,
    scopes: client.scopes.slice(0, 1),
    challenge: createHash("sha256").update(verifier).digest("base64url"),
    seconds: fate === "expired" ? 0 : 3600,
    used: fate === "used",
  };
  const isLive = fate === "live" && !client.isRevoked;
  return { code: { code, client, verifier, redirectUri, scope: row.scopes.join(" "), isLive }, row };
}

/** Grants for the codes: of both people to every client. */
export async function makeGrants({ organizationId, userId, disabledUserId, clients }: World): Promise<void> {
  for (const user of [userId, disabledUserId]) {
    for (const client of clients) {
      const values = [newId(), organizationId, user, client.id, client.scopes];
      await pool().query(
        `INSERT INTO oauth_grants (id, organization_id, user_id, client_id, scopes, created_at, last_allowed_at)
          VALUES ($1, $2, $3, $4, $5, now(), now())`,
        values,
      );
    }
  }
}
