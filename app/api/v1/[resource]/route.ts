import { unknownResource } from "@/lib/http/api/fallback-routes";

export const dynamic = "force-dynamic";

/** Answers a name that is not a resource: the collection of each resource has a separate route. */
async function refuse(request: Request, { params }: { params: Promise<{ resource: string }> }): Promise<Response> {
  return unknownResource(request, (await params).resource);
}

export { refuse as GET, refuse as POST, refuse as PUT, refuse as PATCH, refuse as DELETE, refuse as OPTIONS };
