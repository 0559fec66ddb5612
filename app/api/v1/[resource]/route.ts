import { unknownResource } from "@/lib/http/api/fallback-routes";

export const dynamic = "force-dynamic";

/** A name that is no resource: the collection of each has a route of its own. */
async function refuse(request: Request, { params }: { params: Promise<{ resource: string }> }): Promise<Response> {
  return unknownResource(request, (await params).resource);
}

export { refuse as GET, refuse as POST, refuse as PUT, refuse as PATCH, refuse as DELETE, refuse as OPTIONS };
