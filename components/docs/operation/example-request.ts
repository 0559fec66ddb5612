import type { Operation } from "@/components/docs/document";
import type { Request } from "@/components/docs/operation/request";

/** The request that the example of an operation makes. `samples` are values for the names of paths. */
export function exampleRequest(
  { method, path, operationId, requestBody }: Operation,
  server: string,
  samples: Record<string, string>,
): Request {
  const body = requestBody?.content["application/json"]?.example;
  return { method, server, path, samples, query: operationId.startsWith("list_") ? "?limit=10" : "", body };
}
