import { forResource } from "@/app/api/v1/[resource]/for-resource";
import { allowOnly } from "@/lib/http/api/fallback-routes";
import { handle } from "@/lib/http/api/handle";
import { exportOperation } from "@/lib/records/list/export-records";

export const dynamic = "force-dynamic";

const methods = allowOnly("GET, HEAD, OPTIONS");
const refuse = forResource(methods.refuse);

export const GET = forResource((request, { resource }) => handle(request, exportOperation(resource), () => ({})));
export const OPTIONS = forResource(methods.options);
export { refuse as POST, refuse as PUT, refuse as PATCH, refuse as DELETE };
