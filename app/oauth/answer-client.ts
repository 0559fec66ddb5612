import { clientError } from "@/app/oauth/client-error";
import { clientAddress } from "@/lib/http/client-address";
import { readForm } from "@/lib/http/read-form";
import { readParameters } from "@/lib/oauth/parameters";
import type { TokenRequest } from "@/lib/oauth/token-request";

/** RFC 6749 §5.1. No cookie is read here, so any origin may ask. */
const HEADERS = { "cache-control": "no-store", pragma: "no-cache", "access-control-allow-origin": "*" };

/** Answers a client, which no browser stands between, at the token or the revocation endpoint: what `answer` gives as JSON, or nothing. */
export async function answerClient(request: Request, answer: (request: TokenRequest) => Promise<object | void>): Promise<Response> {
  const authorization = request.headers.get("authorization");
  try {
    const result = await answer({
      contentType: request.headers.get("content-type"),
      authorization,
      query: readParameters(new URL(request.url).search),
      body: readParameters(await readForm(request)),
      address: clientAddress(request.headers),
    });
    return result ? Response.json(result, { headers: HEADERS }) : new Response(null, { headers: HEADERS });
  } catch (error) {
    return clientError(error, authorization !== null, HEADERS);
  }
}

/** Pages of other origins may call these endpoints (CORS). */
export function clientOptions(): Response {
  const allowed = { "access-control-allow-methods": "POST", "access-control-allow-headers": "authorization, content-type" };
  return new Response(null, { status: 204, headers: { ...HEADERS, ...allowed, "access-control-max-age": "86400" } });
}
