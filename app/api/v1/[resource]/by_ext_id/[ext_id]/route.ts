import { methodsOfResource } from "@/app/api/v1/methods";
import { getByExtIdOperation, upsertOperation } from "@/lib/records/ext-id-operations";

export const dynamic = "force-dynamic";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methodsOfResource((resource) => ({
  GET: { operation: getByExtIdOperation(resource), path: extIdOf },
  PUT: { operation: upsertOperation(resource), body: true, path: extIdOf },
}));

/**
 * A text of any characters, also slashes (`%2F`), percent-decoded once. The web process refuses a path that cannot be
 * decoded (`lib/http/api/request-target.ts`).
 */
function extIdOf(request: Request): { ext_id: string } {
  return { ext_id: decodeURIComponent(new URL(request.url).pathname.split("/").at(-1) ?? "") };
}
