import { forResource } from "@/app/api/v1/[resource]/for-resource";
import { allowOnly } from "@/lib/http/api/fallback-routes";
import { handle } from "@/lib/http/api/handle";
import { readJson } from "@/lib/http/api/json-body";
import { createOperation, listOperation } from "@/lib/records/operations";

export const dynamic = "force-dynamic";

const methods = allowOnly("GET, HEAD, POST, OPTIONS");
const refuse = forResource(methods.refuse);

export const GET = forResource((request, { resource }) => handle(request, listOperation(resource), () => ({})));
export const POST = forResource((request, { resource }) =>
  handle(request, createOperation(resource), () => readJson(request), 201),
);
export const OPTIONS = forResource(methods.options);
export { refuse as PUT, refuse as PATCH, refuse as DELETE };
