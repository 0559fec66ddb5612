import { contention, logUnavailability, unavailability } from "@/lib/unavailable";
import { AppError } from "@/lib/errors";
import { readForm } from "@/lib/http/body-bytes";
import { clientAddress, mediaTypeOf } from "@/lib/http/request";
import { log } from "@/lib/log";
import { OAuthError, type OAuthErrorCode } from "@/lib/oauth/oauth-error";
import { readOAuthParameters } from "@/lib/oauth/parameters";
import type { TokenRequest } from "@/lib/oauth/token/token-request";

/** RFC 6749 §5.1. No cookie is read here, so any origin may send requests. */
const HEADERS = { "cache-control": "no-store", pragma: "no-cache", "access-control-allow-origin": "*" };

const ALLOW = "POST, OPTIONS";

/**
 * Answers a client's own request, without a browser in between, to the token or the revocation endpoint: with what
 * `answer` returns, as JSON, or with an empty body.
 */
export async function handleClientRequest(
  request: Request,
  answer: (request: TokenRequest) => Promise<object | void>,
): Promise<Response> {
  const authorization = request.headers.get("authorization");
  try {
    const result = await answer({
      mediaType: mediaTypeOf(request.headers),
      authorization,
      query: readOAuthParameters(new URL(request.url).search),
      body: readOAuthParameters(await readForm(request)),
      address: clientAddress(request.headers),
    });
    return result ? Response.json(result, { headers: HEADERS }) : new Response(null, { headers: HEADERS });
  } catch (error) {
    return clientError(error, authorization !== null);
  }
}

/** Refuses any other method than POST, which RFC 6749 §3.2 and RFC 7009 §2.1 require. */
export function refuseMethod({ method }: Request): Response {
  const error_description = `${method} is not allowed here; allowed are ${ALLOW}.`;
  return Response.json(
    { error: "invalid_request", error_description },
    { status: 405, headers: { ...HEADERS, allow: ALLOW } },
  );
}

/** Pages of other origins may call these endpoints (CORS). */
export function clientOptions(): Response {
  const allowed = {
    "access-control-allow-methods": "POST",
    "access-control-allow-headers": "authorization, content-type",
  };
  return new Response(null, { status: 204, headers: { ...HEADERS, ...allowed, "access-control-max-age": "86400" } });
}

/** RFC 6749 §5.2: 400 for all others. */
const STATUSES: Partial<Record<OAuthErrorCode, number>> = {
  invalid_client: 401,
  server_error: 500,
  temporarily_unavailable: 429,
};

/**
 * The response of the token and revocation endpoints to anything thrown. `triedHeader`: the client sent an
 * Authorization header.
 */
function clientError(thrown: unknown, triedHeader: boolean): Response {
  const outage = unavailability(thrown);
  if (outage) logUnavailability(outage);
  const error = outage
    ? new OAuthError("temporarily_unavailable", outage.message, outage.retryAfter)
    : asOAuthError(contention(thrown) ?? thrown);
  const answer = new Headers(HEADERS);
  // Only a client that sent the header gets a challenge: clients that see one ignore the JSON.
  if (error.code === "invalid_client" && triedHeader)
    answer.set("www-authenticate", 'Basic realm="oauth", charset="UTF-8"');
  if (error.retryAfter !== undefined) answer.set("retry-after", String(error.retryAfter));
  return Response.json(
    { error: error.code, error_description: error.message },
    { status: outage ? 503 : (STATUSES[error.code] ?? 400), headers: answer },
  );
}

function asOAuthError(thrown: unknown): OAuthError {
  if (thrown instanceof OAuthError) return thrown;
  if (thrown instanceof AppError && thrown.code === "too_many_requests")
    return new OAuthError("temporarily_unavailable", thrown.message, thrown.retryAfter);
  if (thrown instanceof AppError) return new OAuthError("invalid_request", thrown.message);
  log.error({ err: thrown }, "a client's request failed");
  return new OAuthError("server_error", "The request failed because of a defect on our side.");
}
