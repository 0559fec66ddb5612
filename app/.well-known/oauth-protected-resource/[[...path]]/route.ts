import { metadataAnswer, metadataOptions } from "@/app/.well-known/metadata-answer";
import { allowOnly, unknownPath } from "@/lib/http/api/fallback-routes";
import { protectedResourceMetadata } from "@/lib/oauth/metadata";
import { resourceAt } from "@/lib/oauth/protected-resources";

const { refuse } = allowOnly("GET, HEAD, OPTIONS");

interface RouteContext {
  params: Promise<{ path?: string[] }>;
}

/** RFC 9728 §3: the path of the resource follows the well-known segment. */
export async function GET(request: Request, { params }: RouteContext): Promise<Response> {
  const { path = [] } = await params;
  const resource = resourceAt(path.map((segment) => `/${segment}`).join(""));
  return resource === null ? unknownPath(request) : metadataAnswer(protectedResourceMetadata(resource));
}

export const OPTIONS = metadataOptions;

export { refuse as POST, refuse as PUT, refuse as PATCH, refuse as DELETE };
