import { randomUUID } from "node:crypto";

import type { ApiRequest } from "@/tests/service/api/support/send-request";
import type { Documented } from "@/tests/service/api/support/document";
import { validRequest } from "@/tests/service/api/support/valid-requests";
import type { Fixtures } from "@/tests/service/api/support/fixtures";

/** A request that succeeds: 200, 201 or 202, or 304 if the client has the current version. */
export async function successful(fixtures: Fixtures, { operation, status }: Documented): Promise<ApiRequest> {
  const apiRequest = await validRequest(fixtures, operation);
  // No record has the external id yet.
  if (operation.method === "PUT" && status === 201)
    return { ...apiRequest, path: operation.path.replace("{ext_id}", randomUUID()) };
  if (status !== 304) return apiRequest;
  const { headers } = await fixtures.send("GET", apiRequest.path);
  return { ...apiRequest, headers: { "if-none-match": headers.get("etag") ?? "none" } };
}
