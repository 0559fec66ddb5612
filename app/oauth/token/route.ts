import { tokenError } from "@/app/oauth/token/token-error";
import { allowOnly } from "@/lib/http/allowed-methods";
import { clientAddress } from "@/lib/http/client-address";
import { readForm } from "@/lib/http/read-form";
import { exchange } from "@/lib/oauth/exchange";
import { readParameters } from "@/lib/oauth/parameters";

const { refuse } = allowOnly("POST, OPTIONS");

/** RFC 6749 §5.1. No cookie is read here, so any origin may ask. */
const HEADERS = { "cache-control": "no-store", pragma: "no-cache", "access-control-allow-origin": "*" };

/** The token endpoint (RFC 6749 §3.2). */
export async function POST(request: Request): Promise<Response> {
  const authorization = request.headers.get("authorization");
  try {
    const token = await exchange({
      contentType: request.headers.get("content-type"),
      authorization,
      query: readParameters(new URL(request.url).search),
      body: readParameters(await readForm(request)),
      address: clientAddress(request.headers),
    });
    return Response.json(token, { headers: HEADERS });
  } catch (error) {
    return tokenError(error, authorization !== null, HEADERS);
  }
}

export function OPTIONS(): Response {
  const allowed = { "access-control-allow-methods": "POST", "access-control-allow-headers": "authorization, content-type" };
  return new Response(null, { status: 204, headers: { ...HEADERS, ...allowed, "access-control-max-age": "86400" } });
}

export { refuse as GET, refuse as PUT, refuse as PATCH, refuse as DELETE };
