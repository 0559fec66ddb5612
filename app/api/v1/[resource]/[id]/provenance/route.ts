import { forResource } from "@/app/api/v1/[resource]/for-resource";
import { allowOnly } from "@/lib/http/api/fallback-routes";
import { handle } from "@/lib/http/api/handle";
import { provenanceOperation } from "@/lib/records/provenance";

export const dynamic = "force-dynamic";

interface Path {
  resource: string;
  id: string;
}

const methods = allowOnly("GET, HEAD, OPTIONS");
const refuse = forResource<Path>(methods.refuse);

export const GET = forResource<Path>((request, { resource, id }) =>
  handle(request, provenanceOperation(resource), () => ({ id })),
);
export const OPTIONS = forResource<Path>(methods.options);
export { refuse as POST, refuse as PUT, refuse as PATCH, refuse as DELETE };
