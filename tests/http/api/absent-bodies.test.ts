import { expect, test } from "vitest";

import { createAccessToken, createContext, insertRecord } from "@/tests/support/factories";

import { callerWith, faultsOf } from "@/tests/http/support/call-api";

async function account() {
  const context = await createContext();
  const call = callerWith(await createAccessToken(context));
  return { call, path: `/accounts/${await insertRecord("accounts", context.organizationId)}` };
}

const REFUSED = { status: 400, body: { code: "invalid_request", detail: "No body is read here; leave it out." } };

test.each(['{"a":1}', "null", "x", "x".repeat(3_000_000)])(
  "a body of %.8s is refused if none is read, and nothing is done",
  async (body) => {
    const { call, path } = await account();
    expect(await call("DELETE", path, { body })).toMatchObject(REFUSED);
    expect(await call("DELETE", path)).toMatchObject({ status: 200 });
    expect(await call("POST", `${path}/restore`, { body })).toMatchObject(REFUSED);
    expect(await call("GET", path)).toMatchObject({ status: 404 });
  },
);

test.each(["", "{}", " {\n} "])("a body of %j is none", async (body) => {
  const { call, path } = await account();
  expect(await call("DELETE", path, { body })).toMatchObject({ status: 200 });
  expect(await call("POST", `${path}/restore`, { body })).toMatchObject({ status: 200 });
});

test("a POST without a body is one with {}, but a PATCH has lost its body", async () => {
  const { call, path } = await account();
  const created = await call("POST", "/accounts");
  expect([created.status, faultsOf(created)]).toEqual([400, ["/name required"]]);
  expect(await call("PATCH", path)).toMatchObject({ status: 415 });
});
