type Judgement = { kind: string; accessToken?: string; scope?: string } | { fault: string };

/** RFC 6749 §5.2, RFC 8707 §2, with the status that each comes with. No request of the tests is one too many. */
const STATUS_OF: Record<string, number> = {
  invalid_request: 400,
  invalid_client: 401,
  invalid_grant: 400,
  unsupported_grant_type: 400,
  invalid_target: 400,
};
const PRINTABLE = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;

/** Checks that a response of the token endpoint is what it claims to be. */
export function judgeTokenAnswer(answer: Response, text: string, triedHeader: boolean): Judgement {
  if (!answer.headers.get("content-type")?.startsWith("application/json")) return { fault: "no JSON by its type" };
  if (answer.headers.get("cache-control") !== "no-store" || answer.headers.get("pragma") !== "no-cache")
    return { fault: "an answer that may be stored" };
  const body = parse(text);
  if (!body) return { fault: "no JSON object" };
  return answer.status === 200 ? judgeToken(body) : judgeError(answer, body, triedHeader);
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function judgeToken(body: Record<string, unknown>): Judgement {
  const { access_token, token_type, expires_in, scope, ...rest } = body;
  const isWhole =
    typeof access_token === "string" &&
    /^crm_token_[\w-]{43}$/.test(access_token) &&
    token_type === "Bearer" &&
    expires_in === 3600;
  if (!isWhole || typeof scope !== "string" || Object.keys(rest).length > 0)
    return { fault: "a token answer that is not whole" };
  return { kind: "token", accessToken: access_token, scope };
}

function judgeError(
  answer: Response,
  { access_token, error, error_description }: Record<string, unknown>,
  triedHeader: boolean,
): Judgement {
  if (access_token !== undefined) return { fault: "an error with a token" };
  const kind = String(error);
  if (STATUS_OF[kind] !== answer.status) return { fault: `the status ${answer.status} with ${kind}` };
  if (typeof error_description !== "string" || !PRINTABLE.test(error_description))
    return { fault: "an error whose description is not printable" };
  const isChallenged = answer.headers.get("www-authenticate")?.startsWith("Basic ") ?? false;
  return isChallenged === (triedHeader && kind === "invalid_client")
    ? { kind }
    : { fault: "a challenge out of place, or none where one is due" };
}
