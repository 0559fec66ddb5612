import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { createScene } from "@/tests/service/oauth-musts/support/create-scene";
import type { Answer } from "@/tests/service/oauth-musts/support/answer";
import { challenge } from "@/tests/service/oauth-musts/support/expectations";
import type { Scene } from "@/tests/service/oauth-musts/support/scene";

const RESOURCES = [
  "accounts",
  "contacts",
  "cases",
  "case_comments",
  "activities",
  "leads",
  "opportunities",
  "products",
];
const NOBODY = "01890000-0000-7000-8000-000000000000";

let scene: Scene;
const tokens = new Map<string, string>();

beforeAll(async () => {
  scene = await createScene();
  const { client_id, client_secret } = scene.actors.other;
  for (const scope of ["crm:read", "crm:write", "erp:read", "crm:write erp:read"]) {
    const code = await scene.code({ client_id, scope });
    tokens.set(scope, await scene.accessToken({}, { code, fields: { client_id, client_secret } }));
  }
});
afterAll(() => scene.actors.database.end());

function read(scope: string, path: string): Promise<Answer> {
  return scene.api(`Bearer ${tokens.get(scope)}`, path);
}

describe.each(RESOURCES)("%s", (resource) => {
  test.each(["crm:read", "crm:write", "crm:write erp:read"])(
    "are read with %s, which is or implies crm:read",
    async (scope) => {
      expect(await read(scope, `/api/v1/${resource}?limit=1`)).toMatchObject({
        status: 200,
        body: { data: expect.any(Array) },
      });
      // Past the scope: what is missing is the record.
      expect(await read(scope, `/api/v1/${resource}/${NOBODY}`)).toMatchObject({
        status: 404,
        body: { code: "not_found" },
      });
    },
  );

  const isCatalog = resource === "products";
  test(`are ${isCatalog ? "" : "not "}read with erp:read alone`, async () => {
    const refusal = {
      status: 403,
      headers: { "www-authenticate": challenge("insufficient_scope") },
      body: { code: "insufficient_scope" },
    };
    expect(await read("erp:read", `/api/v1/${resource}?limit=1`)).toMatchObject(isCatalog ? { status: 200 } : refusal);
    expect(await read("erp:read", `/api/v1/${resource}/${NOBODY}`)).toMatchObject(
      isCatalog ? { status: 404 } : refusal,
    );
  });
});

test("only crm:write allows writing, neither crm:read nor erp:read", async () => {
  const statuses = await Promise.all([...tokens].map(async ([scope, token]) => [scope, (await analyze(token)).status]));
  expect(Object.fromEntries(statuses)).toEqual({
    "crm:read": 403,
    "crm:write": 400,
    "erp:read": 403,
    "crm:write erp:read": 400,
  });
});

/** A call that needs crm:write, with a body that goes no further. */
function analyze(token: string): Promise<Answer> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  return scene.send("/api/v1/migration/analyze", { method: "POST", headers, body: "{}" });
}
