import { handle } from "@/lib/http/handle";
import { methodNotAllowed, unknownResource } from "@/lib/http/refuse";
import { listOperation } from "@/lib/records/operations";
import { isResource } from "@/lib/records/registry";

export const dynamic = "force-dynamic";

const ALLOW = "GET, HEAD, OPTIONS";

interface Target {
  params: Promise<{ resource: string }>;
}

export async function GET(request: Request, { params }: Target): Promise<Response> {
  const { resource } = await params;
  return isResource(resource) ? handle(request, listOperation(resource), () => ({})) : unknownResource(resource);
}

async function refuse(request: Request, { params }: Target): Promise<Response> {
  const { resource } = await params;
  return isResource(resource) ? methodNotAllowed(request, ALLOW) : unknownResource(resource);
}

export { refuse as POST, refuse as PUT, refuse as PATCH, refuse as DELETE };

/** Without it Next would also name the methods that are only there to be refused. */
export function OPTIONS(): Response {
  return new Response(null, { status: 204, headers: { allow: ALLOW } });
}
