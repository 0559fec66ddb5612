import { forResource } from "@/app/api/v1/[resource]/for-resource";
import { allowOnly } from "@/lib/http/api/fallback-routes";
import { handle } from "@/lib/http/api/handle";
import { readJson } from "@/lib/http/api/json-body";
import { batchOperation } from "@/lib/records/batch/batch-operation";

export const dynamic = "force-dynamic";

const methods = allowOnly("POST, OPTIONS");
const refuse = forResource(methods.refuse);

export const POST = forResource((request, { resource }) =>
  handle(request, batchOperation(resource), () => readJson(request)),
);
export const OPTIONS = forResource(methods.options);
export { refuse as GET, refuse as PUT, refuse as PATCH, refuse as DELETE };
