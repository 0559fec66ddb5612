import { unknownResource } from "@/lib/http/api/fallback-routes";
import { isResource } from "@/lib/records/schema/registry";
import type { ResourceName } from "@/lib/records/schema/resources";

type Answer<Path> = (request: Request, path: Path & { resource: ResourceName }) => Response | Promise<Response>;

/** A route handler for resources only: any other name in their place is 404, whatever the method. */
export function forResource<Path extends { resource: string }>(answer: Answer<Path>) {
  return async (request: Request, { params }: { params: Promise<Path> }): Promise<Response> => {
    const path = await params;
    const { resource } = path;
    return isResource(resource) ? answer(request, { ...path, resource }) : unknownResource(request, resource);
  };
}
