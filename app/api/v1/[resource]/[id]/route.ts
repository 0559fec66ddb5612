import { forResource } from "@/app/api/v1/[resource]/for-resource";
import { allowOnly } from "@/lib/http/api/fallback-routes";
import { handle } from "@/lib/http/api/handle";
import { readJsonWith } from "@/lib/http/api/json-body";
import { deleteOperation, getOperation, updateOperation } from "@/lib/records/operations";

export const dynamic = "force-dynamic";

interface Path {
  resource: string;
  id: string;
}

const methods = allowOnly("GET, HEAD, PATCH, DELETE, OPTIONS");
const refuse = forResource<Path>(methods.refuse);

export const GET = forResource<Path>((request, { resource, id }) =>
  handle(request, getOperation(resource), () => ({ id })),
);
export const PATCH = forResource<Path>((request, { resource, id }) =>
  handle(request, updateOperation(resource), () => readJsonWith(request, { id })),
);
export const DELETE = forResource<Path>((request, { resource, id }) =>
  handle(request, deleteOperation(resource), () => ({ id })),
);
export const OPTIONS = forResource<Path>(methods.options);
export { refuse as POST, refuse as PUT };
