import type { Tenant } from "@/tests/benchmarks/api/tenants";

/** A UUIDv7 of a time, with random bits from the row's number. */
export const UUID_V7 = `
  CREATE FUNCTION pg_temp.uuid_v7(at timestamptz, seed text) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$
    SELECT (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0')
      || '7' || substr(md5(seed), 1, 3) || '8' || substr(md5(seed), 4, 15))::uuid
  $$`;

/** One account per twenty opportunities. */
const ACCOUNTS = `
  INSERT INTO accounts (organization_id, id, created_at, updated_at, owner_id, name, industry,
    billing_city, billing_country)
  SELECT $1::uuid, pg_temp.uuid_v7(at, 'account' || n || $1::uuid), at, at, $2::uuid, 'Alpine Tools ' || n, 'Machinery',
    'Innsbruck', 'AT'
  FROM generate_series(1, greatest(1, $3::int / 20)) AS n,
    date_trunc('milliseconds', now() - interval '4 years' + n * interval '1 second') AS at`;

/**
 * Opportunities of three years. Those of the organizations are interleaved, as when all work at the same time. `$3`:
 * the number per organization (`$1`). Older ones are closed.
 */
const OPPORTUNITIES = `
  WITH spread AS (
    SELECT organization, owner, n, md5(n || organization::text) AS seed,
      1 + n * 7919::bigint % greatest(1, records / 20) AS account,
      date_trunc('milliseconds', now() - interval '3 years' * (1 - (n - 0.5) / records)) AS at
    FROM unnest($1::uuid[], $2::uuid[], $3::int[]) AS parameters (organization, owner, records),
      generate_series(1, records) AS n
  ), staged AS (
    SELECT *, (enum_range(NULL::opportunity_stage))[
      CASE WHEN at < now() - interval '6 months' THEN 9 + n % 2 ELSE 1 + n % 8 END
    ] AS stage
    FROM spread
  ), numbered AS (
    SELECT organization_id AS organization, id AS account_id,
      row_number() OVER (PARTITION BY organization_id ORDER BY id) AS account
    FROM accounts
  )
  INSERT INTO opportunities (organization_id, id, created_at, updated_at, owner_id, ext_id, account_id, name, stage,
    amount, currency, probability, close_date, type, lead_source, next_step, forecast_category, is_closed, is_won,
    stage_changed_at, description, custom_fields)
  SELECT organization, pg_temp.uuid_v7(at, seed), at, at, owner, '006' || upper(left(seed, 12)), account_id,
    'Order ' || n || ': pumps and valves', stage, (n % 5000) * 12.5, 'EUR', 10 * (n % 10),
    (at + interval '60 days')::date, 'New business', 'Trade fair', 'Send the offer', 'pipeline',
    stage IN ('closed_won', 'closed_lost'), stage = 'closed_won', at,
    'Asked for an offer at the trade fair; wants to see the pump in Innsbruck first.',
    jsonb_build_object('Region__c', 'North', 'Score__c', n % 100)
  FROM staged JOIN numbered USING (organization, account) ORDER BY at`;

/** Creates the opportunities of each organization, as many as in `sizes`, and leaves the tables as autovacuum would. */
export async function seedOpportunities(tenants: readonly Tenant[], sizes: readonly number[]): Promise<void> {
  const { pool } = await import("@/tests/support/owner");
  const client = await pool().connect();
  try {
    await client.query("SET statement_timeout = 0");
    await client.query(UUID_V7);
    for (const [index, { organizationId, userId }] of tenants.entries())
      await client.query(ACCOUNTS, [organizationId, userId, sizes[index]]);
    await client.query("ANALYZE accounts");
    await client.query(OPPORTUNITIES, [
      tenants.map((tenant) => tenant.organizationId),
      tenants.map((tenant) => tenant.userId),
      sizes,
    ]);
    await client.query("VACUUM (ANALYZE) accounts, opportunities");
    await client.query("CHECKPOINT");
  } finally {
    client.release(true);
  }
}
