import { expect, test } from "vitest";

import { pool } from "@/tests/support/owner";

import {
  accessTokenOf,
  arrange,
  authorizeQuery,
  callApi,
  consentFields,
  exchange,
  obtainCode,
  PASSWORD,
  VERIFIER,
  visit,
} from "@/tests/oauth/support/fixtures";

/** Every row of every table as text, binary columns in hexadecimal. */
async function dumpDatabase(): Promise<string> {
  const tables = await pool().query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
      WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
  );
  const rows: string[] = [];
  for (const { name } of tables.rows) {
    const { rows: found } = await pool().query<{ row: string }>(`SELECT t::text AS row FROM ${name} t`);
    rows.push(...found.map(({ row }) => `${name}: ${row}`));
  }
  return rows.join("\n");
}

/** The forms in which a value could appear in a dump. */
function spellings(value: string): string[] {
  const bytes = Buffer.from(value);
  return [
    value,
    encodeURIComponent(value),
    bytes.toString("hex"),
    bytes.toString("base64"),
    bytes.toString("base64url"),
  ];
}

test("after a whole flow the database holds no password, secret, code, verifier, token or cookie", async () => {
  const arranged = await arrange();
  const code = await obtainCode(arranged);
  const access_token = await accessTokenOf(await exchange(arranged, code));
  await callApi(access_token);
  const unusedCode = await obtainCode(arranged);
  const pending = consentFields(
    await (await arranged.browser.get(await visit(arranged, authorizeQuery(arranged)))).text(),
  );
  const [, cookie = ""] = arranged.browser.cookieHeader().split("=");

  const dump = await dumpDatabase();
  expect(dump).toContain(arranged.client.client_id);
  expect(dump).toContain(arranged.email);
  const secrets = {
    PASSWORD,
    VERIFIER,
    code,
    unusedCode,
    access_token,
    cookie,
    token: pending.token,
    secret: arranged.client.client_secret,
  };
  const found = Object.entries(secrets).flatMap(([name, secret]) =>
    spellings(secret).some((spelling) => dump.includes(spelling)) ? name : [],
  );
  expect(Object.values(secrets).every((secret) => secret.length > 10)).toBe(true);
  expect(found).toEqual([]);
});
