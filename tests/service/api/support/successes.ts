import { randomUUID } from "node:crypto";

import type { Asking } from "@/tests/service/api/support/ask";
import type { Documented } from "@/tests/service/api/support/document";
import { validRequest } from "@/tests/service/api/support/valid-requests";
import type { Fixtures } from "@/tests/service/api/support/fixtures";

/** A request that succeeds: 200, 201 or 202, or 304 if the client has the current version. */
export async function successful(fixtures: Fixtures, { operation, status }: Documented): Promise<Asking> {
  const asking = await validRequest(fixtures, operation);
  // No record has the external id yet.
  if (operation.method === "PUT" && status === 201)
    return { ...asking, path: operation.path.replace("{ext_id}", randomUUID()) };
  if (status !== 304) return asking;
  const { headers } = await fixtures.send("GET", asking.path);
  return { ...asking, headers: { "if-none-match": headers.get("etag") ?? "none" } };
}
