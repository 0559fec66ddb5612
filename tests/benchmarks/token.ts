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

/**
 * Tokens that are valid beside those that are measured, as many in each organization, and their spent codes. They were
 * issued over the last hour, and so many expire while the benchmark runs.
 */
const INSERT_OTHERS = `
  WITH spent AS (
    INSERT INTO oauth_codes (id, code_hash, grant_id, client_id, user_id, organization_id, redirect_uri, scopes,
      code_challenge, resource, created_at, expires_at, used_at)
    SELECT gen_random_uuid(), sha256(gen_random_uuid()::text::bytea), g.id, g.client_id, g.user_id, g.organization_id,
      $2, g.scopes, $3, '{}', at, at + interval '1 minute', at
    FROM oauth_grants g, (SELECT now() - random() * interval '1 hour' AS at FROM generate_series(1, $1)) AS issued
    RETURNING id, client_id, user_id, organization_id, scopes, created_at
  )
  INSERT INTO oauth_tokens (id, token_hash, code_id, client_id, user_id, organization_id, scopes, resource, created_at,
    expires_at)
  SELECT gen_random_uuid(), sha256(gen_random_uuid()::text::bytea), id, client_id, user_id, organization_id, scopes,
    '{}', created_at, created_at + interval '1 hour'
  FROM spent`;

async function seedTokens(tenants: readonly Tenant[], tokens: number): Promise<void> {
  const { pool } = await import("@/tests/support/owner");
  const client = await pool().connect();
  try {
    await client.query("SET statement_timeout = 0");
    const values = [Math.ceil(tokens / tenants.length), tenants[0]?.client.redirect_uri, CHALLENGE];
    await client.query(INSERT_OTHERS, values);
    await client.query("VACUUM (ANALYZE) oauth_codes, oauth_tokens");
    await client.query("CHECKPOINT");
  } finally {
    client.release(true);
  }
}

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
 * `tokens`: how many others there are.
 */
export async function run(tokens: number): Promise<Measurement[]> {
  return withOwnService("npm run bench", async (service) => {
    const tenants = await createTenants(service, TENANTS);
    await seedTokens(tenants, tokens);
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
