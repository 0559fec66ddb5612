import type { Operation } from "@/components/docs/document";
import type { Request } from "@/components/docs/operation/request";

/** Values for the parameters that a request must have in its query. */
const QUERY_SAMPLES: Readonly<Record<string, string>> = { q: "ada" };

/** The request in the example of an operation. `samples` are values for the parameters of paths. */
export function exampleRequest(operation: Operation, server: string, samples: Record<string, string>): Request {
  const { method, path, requestBody } = operation;
  const body = requestBody?.content["application/json"]?.example;
  return { method, server, path, samples, query: queryOf(operation), answer: answerOf(operation), body };
}

/** What the operation requires, and how much of a list. */
function queryOf({ operationId, parameters = [] }: Operation): string {
  const inQuery = parameters.filter((parameter) => parameter.in === "query");
  const isList = operationId.startsWith("list_");
  const pairs = inQuery.flatMap(({ name, required }) => {
    if (required) return [`${name}=${QUERY_SAMPLES[name] ?? ""}`];
    return isList && name === "limit" ? ["limit=10"] : [];
  });
  return pairs.length > 0 ? `?${pairs.join("&")}` : "";
}

function answerOf({ responses }: Operation): Request["answer"] {
  const types = Object.entries(responses).flatMap(([status, { content = {} }]) =>
    Number(status) < 300 ? Object.keys(content) : [],
  );
  if (types.length === 0 || types.includes("application/json")) return "json";
  return types.includes("application/octet-stream") ? "bytes" : "text";
}
