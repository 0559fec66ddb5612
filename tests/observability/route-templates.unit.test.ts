import { globSync } from "node:fs";
import { join } from "node:path";

import { getRouteRegex } from "next/dist/shared/lib/router/utils/route-regex";
import { getSortedRoutes } from "next/dist/shared/lib/router/utils/sorted-routes";
import { expect, test } from "vitest";

import { templateOf as templateOfRoute, templatesOf } from "@/scripts/service/web/route-templates";
import { routeOfFile } from "@/tests/support/route-of-file";

const templateOf = templatesOf([
  "/",
  "/[resource]",
  "/migration/new",
  "/migration/[id]",
  "/api/v1/[resource]/[id]",
  "/api/v1/cases/[id]/comments",
  "/api/[[...path]]",
  "/.well-known/[...path]",
]);

test.each([
  ["/", "/"],
  ["/accounts", "/{resource}"],
  ["/migration/new", "/migration/new"],
  ["/migration/0199", "/migration/{id}"],
  ["/api/v1/cases/0199", "/api/v1/{resource}/{id}"],
  ["/api/v1/cases/0199/comments", "/api/v1/cases/{id}/comments"],
  ["/api/v1/cases/0199/comments/5", "/api/{...path}"],
  ["/api", "/api/{...path}"],
  ["/.well-known/a/b", "/.well-known/{...path}"],
  ["/.well-known", "/{resource}"],
  ["/_next/static/chunks/1.js", "/_next/{...path}"],
  ["/a/b/c", "none"],
  ["/__proto__/constructor", "none"],
])("the route of %s is %s, which names nothing that a caller wrote", (path, template) => {
  expect(templateOf(path)).toBe(template);
});

const routes = [
  ...new Set(globSync("app/**/{route.ts,page.tsx}", { cwd: join(import.meta.dirname, "../..") }).map(routeOfFile)),
];

/** The paths that a route has when each of its placeholders stands for an id, or for a name that is a route's own. */
function pathsOf(route: string): string[] {
  const names = routes.flatMap((each) => each.split("/").map((segment, at) => ({ segment, at })));
  const namesAt = (at: number) =>
    names.filter(({ segment, at: place }) => place === at && /^\w/.test(segment)).map(({ segment }) => segment);
  return route
    .split("/")
    .slice(1)
    .reduce(
      (paths, segment, index) => {
        const choices = segment.startsWith("[") ? [...new Set(["0199", ...namesAt(index + 1)])] : [segment];
        return paths.flatMap((path) => choices.map((choice) => `${path}/${choice}`));
      },
      [""],
    )
    .map((path) => path || "/");
}

test("each path has the route that Next's router chooses", () => {
  const sorted = getSortedRoutes(routes).map((route) => ({ route, pattern: getRouteRegex(route).re }));
  const find = templatesOf(routes);
  const chosenByNext = (path: string) => {
    const found = routes.find((route) => route === path) ?? sorted.find(({ pattern }) => pattern.test(path))?.route;
    return found && templateOfRoute(found);
  };
  const paths = [...new Set(routes.flatMap(pathsOf))];
  expect(paths.length).toBeGreaterThan(1000);
  expect(paths.filter((path) => find(path) !== chosenByNext(path))).toEqual([]);
});
