import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { ADMIN_PAGES, NOT_LISTED, PUBLIC_PAGES, REFERENCE_PAGES } from "@/tests/e2e/support/page-list";
import { routeOfFile } from "@/tests/support/route-of-file";

const root = join(import.meta.dirname, "../..");

const files = globSync("app/**/page.tsx", { cwd: root });

const isDynamic = (segment: string) => segment.startsWith("[");

/** A name before a placeholder, segment by segment, as Next chooses among routes. */
function byPrecedence(one: string, other: string): number {
  const [ones, others] = [one.split("/"), other.split("/")];
  const at = ones.findIndex((segment, index) => isDynamic(segment) !== isDynamic(others[index] ?? segment));
  return at === -1 ? 0 : isDynamic(ones[at] ?? "") ? 1 : -1;
}

const routes = files.map(routeOfFile).toSorted(byPrecedence);

/** The route that shows a path. */
function routeFor(path: string): string | undefined {
  const segments = path.replace(/\?.*$/, "").split("/");
  return routes.find((route) => {
    const parts = route.split("/");
    return parts.length === segments.length && parts.every((part, at) => isDynamic(part) || part === segments[at]);
  });
}

const listed = [...PUBLIC_PAGES, ...REFERENCE_PAGES, ...ADMIN_PAGES];

test("every page of the application is in the list that axe and the screenshots share, or says why it is not", () => {
  expect(routes).toContain("/migration/[id]/proof");
  const shown = new Set(listed.map(({ path }) => routeFor(path)));
  const missing = routes.filter((route) => !shown.has(route));
  expect(missing.toSorted()).toEqual(Object.keys(NOT_LISTED).toSorted());
});

test("every page of the list exists, under a name of its own", () => {
  expect(listed.filter(({ path }) => routeFor(path) === undefined)).toEqual([]);
  expect(new Set(listed.map(({ name }) => name)).size).toBe(listed.length);
});

/** A test of the browser that `npm test` leaves out (`playwright.config.ts`): its call and its body. */
const LEFT_OUT = /^( *)[\w.]+\(\s*(["`]).*@exhaustive\2,[^]*?^\1\}?\);$/gm;

/** The pages that a test file of the browser judges beside its own subject, in every run. */
function judgedBy(file: string): string[] {
  const text = readFileSync(join(root, "tests/e2e", file), "utf8").replaceAll(LEFT_OUT, "");
  const calls = text.matchAll(/expectSoundListedPage\(page, "([^"]*)"\)/g);
  return [...calls].map(([, name]) => `${file}: ${name}`);
}

test("every page that pages.spec.ts leaves to another test file is judged there", () => {
  const left = listed.flatMap(({ name, judgedIn }) => (judgedIn ? [`${judgedIn}: ${name}`] : []));
  expect(left.length).toBeGreaterThan(20);
  const judged = globSync("*.spec.ts", { cwd: join(root, "tests/e2e") }).flatMap(judgedBy);
  expect(judged.toSorted()).toEqual(left.toSorted());
});
