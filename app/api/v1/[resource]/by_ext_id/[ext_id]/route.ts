import { forResource } from "@/app/api/v1/[resource]/for-resource";
import { allowOnly } from "@/lib/http/api/fallback-routes";
import { handle } from "@/lib/http/api/handle";
import { readJsonWith } from "@/lib/http/api/json-body";
import { lastSegment } from "@/lib/http/api/parameters";
import { getByExtIdOperation, upsertOperation } from "@/lib/records/ext-id-operations";

export const dynamic = "force-dynamic";

const methods = allowOnly("GET, HEAD, PUT, OPTIONS");
const refuse = forResource(methods.refuse);

export const GET = forResource((request, { resource }) =>
  handle(request, getByExtIdOperation(resource), () => ({ ext_id: lastSegment(request) })),
);
export const PUT = forResource((request, { resource }) =>
  handle(request, upsertOperation(resource), () => readJsonWith(request, { ext_id: lastSegment(request) })),
);
export const OPTIONS = forResource(methods.options);
export { refuse as POST, refuse as PATCH, refuse as DELETE };
