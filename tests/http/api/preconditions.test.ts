import { beforeAll, describe, expect, test } from "vitest";

import { newId } from "@/lib/ids";
import { createAccessToken, createContext } from "@/tests/support/factories";

import { type Answered, type Call, callerWith } from "@/tests/http/support/call-api";

let call: Call;

beforeAll(async () => {
  call = callerWith(await createAccessToken(await createContext({ scopes: ["crm:write"] })));
});

const create = (fields: object = {}) => call("POST", "/accounts", { body: { name: "Alpine Tools", ...fields } });
const etag = ({ headers }: Answered) => headers.get("etag");

test("every response with one record has the same strong tag, which changes with the record", async () => {
  const created = await create({ ext_id: "tagged" });
  const path = `/accounts/${created.body.id}`;
  expect([etag(created), etag(await call("GET", path))]).toEqual(['"1"', '"1"']);
  expect(etag(await call("PATCH", path, { body: { name: "Alpine Tools" } }))).toBe('"1"');
  expect(etag(await call("PATCH", path, { body: { name: "Better Tools" } }))).toBe('"2"');
  await call("DELETE", path);
  expect(etag(await call("POST", `${path}/restore`))).toBe('"3"');
  const byExtId = etag(await call("GET", "/accounts/by_ext_id/tagged"));
  expect(byExtId).toBe(`"3-${created.body.id}"`);
  expect(etag(await call("PUT", "/accounts/by_ext_id/tagged", { body: {} }))).toBe(byExtId);
});

test("responses that are not a record, or expand others, have none", async () => {
  const { id } = (await create()).body;
  expect(etag(await call("GET", "/accounts"))).toBeNull();
  expect(etag(await call("GET", `/accounts/${newId()}`))).toBeNull();
  expect(etag(await call("DELETE", `/accounts/${id}`))).toBeNull();
});

test("a record that gets a deleted one's external id has another tag there", async () => {
  const first = await create({ ext_id: "succeeded" });
  const before = etag(await call("GET", "/accounts/by_ext_id/succeeded"));
  await call("DELETE", `/accounts/${first.body.id}`);
  await create({ ext_id: "succeeded" });
  for (const known of [before ?? "", '"1"']) {
    expect((await call("GET", "/accounts/by_ext_id/succeeded", { headers: { "if-none-match": known } })).status).toBe(
      200,
    );
  }
  const now = etag(await call("GET", "/accounts/by_ext_id/succeeded"));
  expect((await call("GET", "/accounts/by_ext_id/succeeded", { headers: { "if-none-match": now ?? "" } })).status).toBe(
    304,
  );
});

describe("If-None-Match", () => {
  test.each(['"1"', 'W/"1"', "*", '"7", "1"', '"7",W/"1"', '"a,b" , "1"'])(
    "%s: a GET is 304 without a body while the record is so",
    async (value) => {
      const path = `/accounts/${(await create()).body.id}`;
      const unchanged = await call("GET", path, { headers: { "if-none-match": value } });
      const { status, text, headers } = unchanged;
      expect([status, text, etag(unchanged)]).toEqual([304, "", '"1"']);
      expect([headers.get("content-type"), headers.get("vary")]).toEqual([null, "Accept-Encoding"]);
      if (value === "*") return;
      await call("PATCH", path, { body: { name: "Changed" } });
      expect(await call("GET", path, { headers: { "if-none-match": value } })).toMatchObject({
        status: 200,
        body: { name: "Changed" },
      });
    },
  );

  test("*: a PUT creates a record, and changes no existing one", async () => {
    const put = (name: string) =>
      call("PUT", "/accounts/by_ext_id/once", { body: { name }, headers: { "if-none-match": "*" } });
    expect((await put("First")).status).toBe(201);
    expect(await put("Second")).toMatchObject({ status: 412, body: { code: "precondition_failed" } });
    expect((await call("GET", "/accounts/by_ext_id/once")).body).toMatchObject({ name: "First", version: 1 });
  });

  test("lists have no tag, and are sent whole", async () => {
    expect((await call("GET", "/accounts", { headers: { "if-none-match": '"1"' } })).status).toBe(200);
  });
});

describe("If-Match", () => {
  const stale = { "if-match": '"1"' };

  test("PATCH and DELETE are carried out on the expected version alone", async () => {
    const path = `/accounts/${(await create()).body.id}`;
    expect(await call("PATCH", path, { body: { name: "Two" }, headers: stale })).toMatchObject({
      status: 200,
      body: { version: 2 },
    });
    const refused = await call("PATCH", path, { body: { name: "Three" }, headers: stale });
    expect(refused).toMatchObject({
      status: 412,
      body: { code: "precondition_failed", title: "The record is not as the request expects it" },
    });
    expect(refused.body.detail).toContain("version 2");
    expect((await call("DELETE", path, { headers: stale })).status).toBe(412);
    expect((await call("GET", path)).body).toMatchObject({ name: "Two", version: 2 });
    expect((await call("DELETE", path, { headers: { "if-match": '"2"' } })).status).toBe(200);
  });

  test.each(["*", '"1"', '"9", "1"'])("%s: holds of version 1", async (value) => {
    const path = `/accounts/${(await create()).body.id}`;
    expect((await call("PATCH", path, { body: { name: "Two" }, headers: { "if-match": value } })).status).toBe(200);
  });

  test.each(['W/"1"', '"01"', '""', '"2"'])("%s: does not", async (value) => {
    const path = `/accounts/${(await create()).body.id}`;
    expect((await call("PATCH", path, { body: { name: "Two" }, headers: { "if-match": value } })).status).toBe(412);
  });

  test("a tag that is right except for W/ gets a sentence that says so", async () => {
    const path = `/accounts/${(await create()).body.id}`;
    const { body } = await call("PATCH", path, { body: { name: "Two" }, headers: { "if-match": 'W/"1"' } });
    expect(body.detail).toContain("Send it without W/.");
  });

  test.each(["1", "", '"1', '1"', '"1" "2"', '"1",', '*, "1"', "W/1", '"1 "'])(
    "%s: is no list of tags, and 400",
    async (value) => {
      const path = `/accounts/${(await create()).body.id}`;
      const headers = { "if-match": value };
      expect(await call("PATCH", path, { body: { name: "Two" }, headers })).toMatchObject({
        status: 400,
        body: { code: "invalid_request" },
      });
      expect(await call("GET", path)).toMatchObject({ body: { version: 1 } });
    },
  );

  test("of changes at once that expect the same version, one is carried out", async () => {
    const path = `/accounts/${(await create()).body.id}`;
    const changes = Array.from({ length: 8 }, (_, index) =>
      call("PATCH", path, { body: { name: `Name ${index}` }, headers: stale }),
    );
    const statuses = (await Promise.all(changes)).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, ...Array.from({ length: 7 }, () => 412)]);
  });

  test("a request that is refused for another reason is refused in the same way", async () => {
    const path = `/accounts/${(await create()).body.id}`;
    expect((await call("PATCH", path, { body: { nmae: "x" }, headers: { "if-match": '"9"' } })).status).toBe(400);
    expect((await call("PATCH", `/accounts/${newId()}`, { body: {}, headers: stale })).status).toBe(404);
  });

  test("a PUT by external id takes both forms of the tag, and creates nothing", async () => {
    const { id } = (await create({ ext_id: "matched" })).body;
    const put = (path: string, value: string) =>
      call("PUT", `/accounts/by_ext_id/${path}`, { body: { name: "x" }, headers: { "if-match": value } });
    expect((await put("matched", `"1-${newId()}"`)).status).toBe(412);
    expect((await put("matched", `"1-${id}"`)).status).toBe(200);
    expect((await put("matched", '"2"')).status).toBe(200);
    expect((await put("nobody", "*")).status).toBe(412);
    expect((await call("GET", "/accounts/by_ext_id/nobody")).status).toBe(404);
  });

  test("a GET is 412 when the record has changed", async () => {
    const path = `/accounts/${(await create()).body.id}`;
    expect((await call("GET", path, { headers: { "if-match": '"1"' } })).status).toBe(200);
    expect((await call("GET", path, { headers: { "if-match": '"2"' } })).status).toBe(412);
  });

  test("without any version it cannot hold, and nothing is done", async () => {
    const { id } = (await create()).body;
    expect((await call("POST", "/accounts", { body: { name: "Never" }, headers: stale })).status).toBe(412);
    const items = [{ action: "update", id, data: { name: "Never" } }];
    expect((await call("POST", "/accounts/batch", { body: { mode: "per_item", items }, headers: stale })).status).toBe(
      412,
    );
    await call("DELETE", `/accounts/${id}`);
    expect((await call("POST", `/accounts/${id}/restore`, { headers: stale })).status).toBe(412);
    expect((await call("GET", "/accounts?limit=200")).text).not.toContain("Never");
  });
});
