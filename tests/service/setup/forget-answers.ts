import { Client } from "pg";

/**
 * Forgets what requests with an idempotency key were answered, as where there was no room to keep it. They stay carried
 * out.
 */
export async function forgetAnswers(organizationId: string): Promise<void> {
  const client = new Client({ connectionString: process.env.DATABASE_OWNER_URL });
  await client.connect();
  await client.query("UPDATE idempotency_keys SET body = NULL WHERE organization_id = $1 AND status IS NOT NULL", [
    organizationId,
  ]);
  await client.end();
}
