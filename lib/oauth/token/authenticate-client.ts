import { pool, prisma } from "@/lib/database/db";
import { acrossOrganizations } from "@/lib/database/organization-scope";
import { log } from "@/lib/log";
import { OAuthError } from "@/lib/oauth/oauth-error";
import { CLIENT_ID_PATTERN } from "@/lib/oauth/parameters";
import type { TokenRequest } from "@/lib/oauth/token/token-request";
import { recordAudit } from "@/lib/security/audit";
import { digestsEqual, sha256 } from "@/lib/security/crypto";
import { networkOf, countAttempt, undoAttempt, type Throttle, formatWait } from "@/lib/security/throttle";

const FAILURES: Throttle = { name: "client-secret", limit: 20, windowSeconds: 5 * 60, isOpen: true };

/** Compared with if the client is unknown, so that the answer takes equally long. */
const UNKNOWN_CLIENT_DIGEST = sha256("");

/**
 * Checks a client's secret and returns the client's row id. An attempt is counted per client and network before the
 * secret is compared, and taken back if the secret is right. So guessing stops, in parallel too, and nobody can lock a
 * client out from another network. Throws `invalid_client`, or `temporarily_unavailable` after too many attempts.
 */
export async function authenticateClient(request: TokenRequest): Promise<string> {
  const credentials = readClientCredentials(request);
  const secrets = await findLiveSecrets(credentials.clientId);
  // All unknown client ids of a network share one count. A known client shares its count with another only by chance.
  const subject = `${secrets.length > 0 ? credentials.clientId : ""} ${networkOf(request.address)}`;
  const id = await inTurn(subject, () => checkSecret(subject, credentials, secrets));
  if (id) return id;
  recordRefusedClient(credentials.clientId, request.address);
  throw new OAuthError("invalid_client", "The client is unknown, its access has been revoked, or its secret is wrong.");
}

/** The client's row id if the secret is right. */
async function checkSecret(
  subject: string,
  credentials: ClientCredentials,
  secrets: readonly LiveSecret[],
): Promise<string | undefined> {
  const wait = await countAttempt(FAILURES, subject);
  if (wait > 0) {
    // The secret was not compared. If this attempt stayed counted, parallel calls with the right secret could lock each
    // other out for the whole window.
    await undoAttempt(FAILURES, subject);
    throw new OAuthError(
      "temporarily_unavailable",
      `Too many wrong client secrets. Try again ${formatWait(wait)}.`,
      wait,
    );
  }

  const id = matchSecret(credentials, secrets);
  if (id) await undoAttempt(FAILURES, subject);
  return id;
}

/** Subject → the last check of its secret. */
const checks = new Map<string, Promise<unknown>>();

/**
 * Makes the checks of one subject one after the other. A right secret is counted until it is taken back, so enough of
 * them at one moment would look like guesses. Each process has a turn at each of the two endpoints: up to ten processes
 * stay below the limit.
 */
async function inTurn<Result>(subject: string, check: () => Promise<Result>): Promise<Result> {
  const turn = Promise.allSettled([checks.get(subject)]).then(check);
  checks.set(subject, turn);
  await Promise.allSettled([turn]);
  if (checks.get(subject) === turn) checks.delete(subject);
  return turn;
}

interface LiveSecret {
  id: string;
  secret_hash: Buffer;
}

function matchSecret({ clientSecret }: ClientCredentials, secrets: readonly LiveSecret[]): string | undefined {
  const given = sha256(clientSecret);
  if (secrets.length === 0) digestsEqual(given, UNKNOWN_CLIENT_DIGEST);
  return secrets.find((secret) => digestsEqual(given, secret.secret_hash))?.id;
}

const FIND_SECRETS = `
  SELECT c.id, s.secret_hash FROM oauth_clients c JOIN oauth_client_secrets s ON s.client_id = c.id
  WHERE c.client_id = $1 AND c.revoked_at IS NULL AND (s.expires_at IS NULL OR s.expires_at > now())`;

/** There is more than one while a secret is being rotated. */
async function findLiveSecrets(clientId: string): Promise<LiveSecret[]> {
  if (!CLIENT_ID_PATTERN.test(clientId)) return [];
  const { rows } = await acrossOrganizations(() => pool().query<LiveSecret>(FIND_SECRETS, [clientId]));
  return rows;
}

interface ClientCredentials {
  clientId: string;
  clientSecret: string;
}

/**
 * The credentials of `client_secret_basic` or `client_secret_post` (RFC 6749 §2.3.1). Throws `invalid_client`, or
 * `invalid_request`.
 */
function readClientCredentials({ authorization, body }: TokenRequest): ClientCredentials {
  if (authorization !== null) return readBasic(authorization, body.get("client_id"));
  const clientId = body.get("client_id");
  const clientSecret = body.get("client_secret");
  if (!clientId || !clientSecret)
    throw new OAuthError("invalid_client", "Send client_id and client_secret, in the body or by HTTP Basic.");
  return { clientId, clientSecret };
}

function readBasic(authorization: string, bodyClientId: string | undefined): ClientCredentials {
  const [, encoded] = /^Basic +([A-Za-z0-9+/]+=*)$/i.exec(authorization) ?? [];
  const decoded = encoded && Buffer.from(encoded, "base64").toString("utf8");
  const colon = decoded ? decoded.indexOf(":") : -1;
  if (!decoded || colon < 1)
    throw new OAuthError("invalid_client", "The Authorization header is not HTTP Basic with a client id and a secret.");
  const clientId = decodeForm(decoded.slice(0, colon));
  if (bodyClientId !== undefined && bodyClientId !== clientId) {
    throw new OAuthError("invalid_request", "client_id in the body is not the one in the Authorization header.");
  }
  return { clientId, clientSecret: decodeForm(decoded.slice(colon + 1)) };
}

/** Both halves are form-encoded before they are joined (RFC 6749 §2.3.1). */
function decodeForm(value: string): string {
  return new URLSearchParams(`v=${value.replaceAll("&", "%26")}`).get("v") ?? "";
}

/** Per client and for all networks together: somebody with many addresses must not fill the audit log. */
const AUDIT_THROTTLE: Throttle = { name: "client-refused-told", limit: 20, windowSeconds: 15 * 60 };

/**
 * Records in the audit log that a known client, live or revoked, came with a wrong secret. The answer does not wait for
 * it: its time would reveal which clients exist.
 */
function recordRefusedClient(clientId: string, address: string): void {
  if (!CLIENT_ID_PATTERN.test(clientId)) return;
  recordRefusal(clientId, address).catch((error: unknown) =>
    log.error({ err: error }, "could not record the refusal of a client"),
  );
}

async function recordRefusal(clientId: string, address: string): Promise<void> {
  const query = { where: { client_id: clientId }, select: { id: true, organization_id: true } };
  const client = await acrossOrganizations(() => prisma().oauth_clients.findFirst(query));
  if (!client) return;
  if ((await countAttempt(AUDIT_THROTTLE, client.id)) > 0) return;
  await recordAudit(pool(), { organizationId: client.organization_id, address }, "client.refused", {
    clientId: client.id,
  });
}
