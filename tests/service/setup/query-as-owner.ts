import { Client, type QueryResult, type QueryResultRow } from "pg";

/** Runs one statement as the owner of the service's database, which `npm test` names in DATABASE_OWNER_URL. */
export async function queryAsOwner<Row extends QueryResultRow>(
  sql: string,
  values: readonly unknown[],
): Promise<QueryResult<Row>> {
  const client = new Client({ connectionString: process.env.DATABASE_OWNER_URL });
  await client.connect();
  try {
    return await client.query<Row>(sql, [...values]);
  } finally {
    await client.end();
  }
}
