import { allowOnly } from "@/lib/http/api/fallback-routes";
import { handle } from "@/lib/http/api/handle";
import { readJson } from "@/lib/http/api/json-body";
import { createOperation, listOperation } from "@/lib/records/operations";
import type { ResourceName } from "@/lib/records/schema/resources";

const { options, refuse } = allowOnly("GET, HEAD, POST, OPTIONS");

/**
 * The methods of a resource's collection. Each has a route file, which has nothing to check: lists are requested most
 * (docs/decisions/0024).
 */
export function collection(resource: ResourceName) {
  return {
    GET: (request: Request) => handle(request, listOperation(resource), () => ({})),
    POST: (request: Request) => handle(request, createOperation(resource), () => readJson(request), 201),
    PUT: refuse,
    PATCH: refuse,
    DELETE: refuse,
    OPTIONS: options,
  };
}
