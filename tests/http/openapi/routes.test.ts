import { globSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { pathNames } from "@/lib/http/openapi/route";
import { PUBLIC_ROUTES, ROUTES } from "@/lib/http/openapi/routes";
import { inputNames } from "@/lib/input/parse-input";
import { RESOURCES } from "@/lib/records/schema/resources";

const API = join(import.meta.dirname, "../../../app/api/v1");
const files = globSync("**/route.ts", { cwd: API })
  .filter((file) => !file.startsWith("openapi.json/"))
  .toSorted();

type Options = (request: Request, at: { params: Promise<Record<string, string>> }) => Response | Promise<Response>;

/** "GET /accounts/{}" for every method that a route file says it answers. */
async function answeredBy(file: string): Promise<string[]> {
  const { OPTIONS } = (await import(join(API, file))) as { OPTIONS: Options };
  const folder = `/${file.replace(/\/?route\.ts$/, "")}`;
  const paths = folder.startsWith("/[resource]")
    ? RESOURCES.map((resource) => ({ resource, path: folder.replace("[resource]", resource) }))
    : [{ resource: "", path: folder }];
  const answered = paths.map(async ({ resource, path }) => {
    const answer = await OPTIONS(new Request(`http://localhost${path}`, { method: "OPTIONS" }), {
      params: Promise.resolve({ resource, id: "x" }),
    });
    const methods =
      answer.headers
        .get("allow")
        ?.split(", ")
        .filter((method) => !["HEAD", "OPTIONS"].includes(method)) ?? [];
    return methods.map((method) => `${method} ${path.replaceAll(/\[\w+\]/g, "{}")}`);
  });
  return (await Promise.all(answered)).flat();
}

test("the route files are found", () => {
  expect(files).toContain("[resource]/[id]/route.ts");
  expect(files.length).toBeGreaterThan(15);
});

test("the table of routes agrees with the route files", async () => {
  const answered = (await Promise.all(files.map(answeredBy))).flat();
  const declared = ROUTES.map(({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, "{}")}`);
  expect(declared.toSorted(), "lib/http/openapi/routes.ts is compared with app/api/v1").toEqual(
    [...new Set(answered)].toSorted(),
  );
  expect(new Set(declared).size).toBe(declared.length);
});

test.each(ROUTES)("$method $path names fields of its operation's input", (route) => {
  expect(inputNames(route.operation.input)).toEqual(expect.arrayContaining(pathNames(route)));
});

test.each(["PATCH /leads/{id}", "PUT /leads/by_ext_id/{ext_id}", "POST /leads/batch"])(
  "%s can find the lead converted",
  (name) => {
    expect(ROUTES.find(({ method, path }) => `${method} ${path}` === name)?.refuses).toContain("illegal_state");
  },
);

test("operations for people only are left out of the document; they are those below /settings", () => {
  const left = ROUTES.filter((route) => !PUBLIC_ROUTES.includes(route));
  expect(left.length).toBeGreaterThan(0);
  expect(left.filter(({ path }) => !path.startsWith("/settings/"))).toEqual([]);
  expect(PUBLIC_ROUTES.filter(({ path }) => path.startsWith("/settings/"))).toEqual([]);
});
