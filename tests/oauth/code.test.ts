import { beforeAll, describe, expect, test } from "vitest";

import { pool } from "@/tests/support/owner";

import {
  accessTokenOf,
  type Arranged,
  arrange,
  callApi,
  exchange,
  obtainCode,
  register,
} from "@/tests/oauth/support/fixtures";

let arranged: Arranged;
beforeAll(async () => {
  arranged = await arrange(["crm:read"]);
});

describe("a code", () => {
  test("does not work for another client", async () => {
    const other = await register(arranged, "Other");
    const code = await obtainCode(arranged);
    const response = await exchange({ client: other }, code);
    expect(await response.json()).toMatchObject({ error: "invalid_grant" });
    expect((await exchange(arranged, code)).status).toBe(200);
  });

  test("does not work after a minute", async () => {
    const code = await obtainCode(arranged);
    const { rows } = await pool().query(
      "SELECT extract(epoch FROM expires_at - created_at)::int AS life FROM oauth_codes ORDER BY id DESC LIMIT 1",
    );
    expect(rows[0]).toEqual({ life: 60 });
    await pool().query("UPDATE oauth_codes SET expires_at = now() WHERE used_at IS NULL");
    const refusal = { error: "invalid_grant", error_description: "The code has expired; codes live for a minute." };
    expect(await (await exchange(arranged, code)).json()).toEqual(refusal);
  });

  test("used twice revokes the token that it was exchanged for", async () => {
    const code = await obtainCode(arranged);
    const access_token = await accessTokenOf(await exchange(arranged, code));
    expect((await callApi(access_token)).status).toBe(200);
    expect(await (await exchange(arranged, code)).json()).toMatchObject({ error: "invalid_grant" });
    expect((await callApi(access_token)).status).toBe(401);
  });

  test("used twice by somebody without the secret or the verifier revokes nothing", async () => {
    const code = await obtainCode(arranged);
    const access_token = await accessTokenOf(await exchange(arranged, code));
    await exchange(arranged, code, { fields: { client_secret: "wrong" } });
    await exchange(arranged, code, { fields: { code_verifier: "w".repeat(43) } });
    expect((await callApi(access_token)).status).toBe(200);
  });

  test("used by sixteen requests at once is exchanged once, and that token is revoked", async () => {
    const code = await obtainCode(arranged);
    const answers = await Promise.all(Array.from({ length: 16 }, () => exchange(arranged, code)));
    expect(answers.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([
      200,
      ...Array.from({ length: 15 }, () => 400),
    ]);
    const tokens = await Promise.all(answers.map(accessTokenOf));
    expect((await callApi(tokens.join(""))).status).toBe(401);
  });
});
