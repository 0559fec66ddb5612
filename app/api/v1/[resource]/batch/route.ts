import { forResource } from "@/app/api/v1/[resource]/for-resource";
import { allowOnly } from "@/lib/http/allowed-methods";
import { readJson } from "@/lib/http/body";
import { handle } from "@/lib/http/handle";
import { batchOperation } from "@/lib/records/batch-operations";

export const dynamic = "force-dynamic";

const methods = allowOnly("POST, OPTIONS");
const refuse = forResource(methods.refuse);

export const POST = forResource((request, { resource }) => handle(request, batchOperation(resource), () => readJson(request)));
export const OPTIONS = forResource(methods.options);
export { refuse as GET, refuse as PUT, refuse as PATCH, refuse as DELETE };
