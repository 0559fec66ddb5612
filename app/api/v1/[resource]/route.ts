import { forResource } from "@/app/api/v1/[resource]/for-resource";
import { allowOnly } from "@/lib/http/allowed-methods";
import { handle } from "@/lib/http/handle";
import { listOperation } from "@/lib/records/operations";

export const dynamic = "force-dynamic";

const methods = allowOnly("GET, HEAD, OPTIONS");
const refuse = forResource(methods.refuse);

export const GET = forResource((request, { resource }) => handle(request, listOperation(resource), () => ({})));
export const OPTIONS = forResource(methods.options);
export { refuse as POST, refuse as PUT, refuse as PATCH, refuse as DELETE };
