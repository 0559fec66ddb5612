import { afterEach, expect, test, vi } from "vitest";

import { deleteMany, editMany } from "@/components/records/list/bulk/change-many";
import type { ResourceName } from "@/lib/records/schema/resources";

afterEach(() => vi.unstubAllGlobals());

/** The version that a deletion of a record of the kind names. */
async function namedVersion(resource: ResourceName): Promise<string | null> {
  const named: (string | null)[] = [];
  vi.stubGlobal("fetch", async (_: string, init: RequestInit) => {
    named.push(new Headers(init.headers).get("if-match"));
    return Response.json({ id: "1" });
  });
  await deleteMany(resource, [{ id: "1", name: "One", version: 3 }], () => undefined);
  expect(named).toHaveLength(1);
  return named[0] ?? null;
}

test("a deletion of many names the version that the reader saw", async () => {
  expect(await namedVersion("leads")).toBe('"3"');
  expect(await namedVersion("opportunities")).toBe('"3"');
});

test("it names none where the deletion of another selected record gives the record another version", async () => {
  for (const resource of ["accounts", "contacts", "cases"] as const) expect(await namedVersion(resource)).toBeNull();
});

test("one that somebody has changed is said to be left as it is, whether it was to be changed or deleted", async () => {
  const problem = { title: "Changed", detail: "If-Match.", code: "precondition_failed", errors: [] };
  const targets = [{ id: "1", name: "One", version: 3 }];
  vi.stubGlobal("fetch", async () => Response.json(problem, { status: 412 }));
  const { failures: deleted } = await deleteMany("leads", targets, () => undefined);
  vi.stubGlobal("fetch", async () => Response.json({ results: [{ problem }] }));
  const { failures: changed } = await editMany("leads", targets, {}, () => undefined);
  expect([...deleted, ...changed].map(({ reason }) => reason)).toEqual(
    Array(2).fill("Somebody else has changed it meanwhile, so it is left as it is."),
  );
});
