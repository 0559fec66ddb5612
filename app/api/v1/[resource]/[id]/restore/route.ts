import { forResource } from "@/app/api/v1/[resource]/for-resource";
import { allowOnly } from "@/lib/http/api/fallback-routes";
import { handle } from "@/lib/http/api/handle";
import { restoreOperation } from "@/lib/records/operations";

export const dynamic = "force-dynamic";

interface Path {
  resource: string;
  id: string;
}

const methods = allowOnly("POST, OPTIONS");
const refuse = forResource<Path>(methods.refuse);

export const POST = forResource<Path>((request, { resource, id }) =>
  handle(request, restoreOperation(resource), () => ({ id })),
);
export const OPTIONS = forResource<Path>(methods.options);
export { refuse as GET, refuse as PUT, refuse as PATCH, refuse as DELETE };
