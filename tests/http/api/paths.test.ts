import { describe, expect, test } from "vitest";

import { GET as nowhere } from "@/app/api/[[...path]]/route";
import { GET as getOne } from "@/app/api/v1/[resource]/[id]/route";
import { GET as unknown, OPTIONS as unknownOptions } from "@/app/api/v1/[resource]/route";
import { DELETE, OPTIONS, PATCH, PUT } from "@/app/api/v1/accounts/route";
import { GET as nowhereInOAuth } from "@/app/oauth/[[...path]]/route";
import * as revocation from "@/app/oauth/revoke/route";
import * as token from "@/app/oauth/token/route";
import { newId } from "@/lib/ids";

const ORIGIN = "http://localhost:3000";

const ask = (method: string) => new Request(`${ORIGIN}/api/v1/accounts`, { method });
const at = <Path>(path: Path) => ({ params: Promise.resolve(path) });

const answerInOAuth = (accept: string) =>
  nowhereInOAuth(new Request(`${ORIGIN}/oauth/tokens`, { headers: { accept } }));

describe("unknown paths and methods", () => {
  test.each(["acounts", "constructor", "__proto__", "toString", "oauth_tokens", "Accounts"])(
    "/api/v1/%s is 404",
    async (resource) => {
      for (const answer of [
        await unknown(ask("GET"), at({ resource })),
        await getOne(ask("GET"), at({ resource, id: newId() })),
      ]) {
        expect(answer.status).toBe(404);
        expect(await answer.json()).toMatchObject({ code: "not_found" });
      }
    },
  );

  test("a misspelt resource gets the right one suggested", async () => {
    const answer = await unknown(ask("GET"), at({ resource: "acounts" }));
    expect(await answer.json()).toMatchObject({ detail: expect.stringContaining("did you mean `accounts`?") });
  });

  test.each([PUT, PATCH, DELETE])("other methods are 405 and name the allowed ones", async (method) => {
    const refused = await method(ask("PUT"));
    expect(refused.status).toBe(405);
    expect(refused.headers.get("allow")).toBe("GET, HEAD, POST, OPTIONS");
    expect(await refused.json()).toMatchObject({ code: "method_not_allowed" });
  });

  test("an unknown path is a problem too", async () => {
    const response = nowhere(new Request(`${ORIGIN}/api/v1/accounts/1/2`));
    expect(response.status).toBe(404);
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    expect(await response.json()).toMatchObject({
      code: "not_found",
      detail: expect.stringContaining("/api/v1/accounts/1/2"),
    });
  });

  test("OPTIONS names the methods, and none for an unknown resource", async () => {
    expect(OPTIONS().headers.get("allow")).toBe("GET, HEAD, POST, OPTIONS");
    expect((await unknownOptions(ask("OPTIONS"), at({ resource: "acounts" }))).status).toBe(404);
  });

  test("below /oauth, a program gets a problem and a person a page", async () => {
    for (const accept of ["*/*", "application/json"]) {
      expect(answerInOAuth(accept).status).toBe(404);
      expect(answerInOAuth(accept).headers.get("content-type")).toBe("application/problem+json");
    }
    const page = answerInOAuth("text/html,application/xhtml+xml,*/*;q=0.8");
    expect(page.status).toBe(404);
    expect(page.headers.get("content-type")).toContain("text/html");
    expect(await page.text()).toContain("There is no such page");
  });

  test.each([token, revocation])(
    "a wrong method of a program below /oauth is refused as OAuth refuses",
    async ({ GET }) => {
      const refused = GET(new Request(`${ORIGIN}/oauth/token`));
      expect([refused.status, refused.headers.get("allow")]).toEqual([405, "POST, OPTIONS"]);
      expect(await refused.json()).toEqual({
        error: "invalid_request",
        error_description: "GET is not allowed here; allowed are POST, OPTIONS.",
      });
    },
  );

  test("a problem has the request id of the web process, and no other text from that header", async () => {
    const id = newId();
    const given = nowhere(new Request(ORIGIN, { headers: { "x-request-id": id } }));
    expect(given.headers.get("x-request-id")).toBe(id);
    expect(await given.json()).toMatchObject({ request_id: id });
    const other = nowhere(new Request(ORIGIN, { headers: { "x-request-id": "<script>" } }));
    expect(other.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  });
});
