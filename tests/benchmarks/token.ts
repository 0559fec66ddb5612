import { createHash, randomBytes } from "node:crypto";

import type { PlannedRequest } from "@/tests/benchmarks/api/exchange";
import { withOwnService } from "@/tests/benchmarks/api/own-service";
import { FLOOR, type Route } from "@/tests/benchmarks/api/read-routes";
import { compareSpeeds, describe, measureInTurn, type Result } from "@/tests/benchmarks/api/rounds";
import { createTenants, type Tenant } from "@/tests/benchmarks/api/tenants";
import type { Measurement } from "@/tests/benchmarks/measurement";

const TENANTS = 20;
const ROUNDS = { connections: 16, seconds: 2, rounds: 5 };

/** More than a round can redeem. They all live for a minute, as those of the consent page do. */
const CODES = 6000;

const VERIFIER = randomBytes(32).toString("base64url");
const CHALLENGE = createHash("sha256").update(VERIFIER).digest("base64url");

/** What the consent page stores (lib/oauth/authorization), for many codes at once. */
const INSERT_CODES = `
  INSERT INTO oauth_codes (id, code_hash, grant_id, client_id, user_id, organization_id, redirect_uri, scopes,
    code_challenge, resource, created_at, expires_at)
  SELECT gen_random_uuid(), sha256(code::bytea), g.id, g.client_id, g.user_id, g.organization_id, $3, g.scopes, $4,
    '{}', now(), now() + interval '1 minute'
  FROM unnest($1::text[], $2::uuid[]) AS issued (code, organization_id) JOIN oauth_grants g USING (organization_id)`;

/** New codes of all organizations in turn, each in the request that redeems it with its PKCE verifier. */
async function redemptions(tenants: readonly Tenant[]): Promise<PlannedRequest[]> {
  const { pool } = await import("@/tests/support/owner");
  const issued = Array.from({ length: CODES }, (_, index) => ({
    code: randomBytes(32).toString("base64url"),
    tenant: tenants[index % tenants.length] as Tenant,
  }));
  await pool().query(INSERT_CODES, [
    issued.map(({ code }) => code),
    issued.map(({ tenant }) => tenant.organizationId),
    tenants[0]?.client.redirect_uri,
    CHALLENGE,
  ]);
  return issued.map(({ code, tenant: { client } }) => ({
    method: "POST",
    path: "/oauth/token",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({
      grant_type: "authorization_code",
      code,
      code_verifier: VERIFIER,
      ...client,
    }).toString(),
  }));
}

/**
 * Requests whose token is looked up and counted, and that then end: people's sessions are only shown to people. That
 * is the whole cost of a bearer token and some of a refusal.
 */
function bearerRoute(tenants: readonly Tenant[]): Route {
  return {
    name: "bearer token checked, then refused",
    status: 403,
    requests: tenants.map(({ token }) => ({ method: "GET", path: "/api/v1/settings/sessions", token })),
  };
}

/**
 * The token endpoint, which exchanges authorization codes with PKCE, and the check of an access token. There is no
 * refresh: a token lives for an hour, and then the person allows the next one (docs/decisions/0015-oauth-choices.md).
 */
export async function run(): Promise<Measurement[]> {
  return withOwnService("npm run bench", async (service) => {
    const tenants = await createTenants(service, TENANTS);
    const exchange = { name: "code exchanged for a token", requests: () => redemptions(tenants) };
    const plan = { origin: service.baseUrl, ...ROUNDS };
    const [floor, ...results] = (await measureInTurn([FLOOR, bearerRoute(tenants), exchange], plan)) as [
      Result,
      ...Result[],
    ];
    return [
      ...[floor, ...results].flatMap((result) => describe(result)),
      ...results.map((result) => compareSpeeds(result, floor)),
    ];
  });
}
