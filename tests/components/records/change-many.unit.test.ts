import { afterEach, expect, test, vi } from "vitest";

import { deleteMany } from "@/components/records/list/bulk/change-many";
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
