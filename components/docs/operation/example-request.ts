import type { Operation } from "@/components/docs/document";
import type { Request } from "@/components/docs/operation/request";

/** The request in the example of an operation. `samples` are values for the parameters of paths. */
export function exampleRequest(
  { method, path, operationId, requestBody }: Operation,
  server: string,
  samples: Record<string, string>,
): Request {
  const body = requestBody?.content["application/json"]?.example;
  return { method, server, path, samples, query: operationId.startsWith("list_") ? "?limit=10" : "", body };
}
