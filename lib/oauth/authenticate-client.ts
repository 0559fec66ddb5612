import { sameDigest, sha256 } from "@/lib/crypto";
import { pool } from "@/lib/db";
import { type ClientCredentials, readClientCredentials } from "@/lib/oauth/client-credentials";
import { CLIENT_ID } from "@/lib/oauth/find-client";
import { noteRefusal } from "@/lib/oauth/note-refusal";
import { OAuthError } from "@/lib/oauth/oauth-error";
import type { TokenRequest } from "@/lib/oauth/token-request";
import { acrossOrganizations } from "@/lib/organization-scope";
import { networkOf } from "@/lib/network-of";
import { countAttempt, takeBackAttempt, type Throttle, waitInWords } from "@/lib/throttle";

const FAILURES: Throttle = { name: "client-secret", limit: 20, windowSeconds: 5 * 60, isOpen: true };

/** Compared with when the client is unknown, so that the answer takes as long. */
const NOBODY = sha256("");

/**
 * Checks a client's secret and returns the client's row id. Attempts are counted per client and network before the secret is compared, and
 * taken back when it is right, so that guessing stops, also in parallel, and nobody can lock a client out from elsewhere. Throws `invalid_client`, or `temporarily_unavailable` when there were too many.
 */
export async function authenticateClient(request: TokenRequest): Promise<string> {
  const credentials = readClientCredentials(request);
  const secrets = await findLiveSecrets(credentials.clientId);
  // Whoever invents client ids is one subject, however many; a client that is there shares its count with another one by chance alone.
  const subject = `${secrets.length > 0 ? credentials.clientId : ""} ${networkOf(request.address)}`;
  const wait = await countAttempt(FAILURES, subject);
  if (wait > 0) {
    // It was never compared; left counted, calls with the right secret that met could shut each other out for the whole window.
    await takeBackAttempt(FAILURES, subject);
    throw new OAuthError("temporarily_unavailable", `Too many wrong client secrets. Try again ${waitInWords(wait)}.`, wait);
  }

  const id = findAuthentic(credentials, secrets);
  if (id) {
    await takeBackAttempt(FAILURES, subject);
    return id;
  }
  noteRefusal(credentials.clientId, request.address);
  throw new OAuthError("invalid_client", "The client is unknown, its access has been revoked, or its secret is wrong.");
}

interface LiveSecret {
  id: string;
  secret_hash: Buffer;
}

function findAuthentic({ clientSecret }: ClientCredentials, secrets: readonly LiveSecret[]): string | undefined {
  const given = sha256(clientSecret);
  if (secrets.length === 0) sameDigest(given, NOBODY);
  return secrets.find((secret) => sameDigest(given, secret.secret_hash))?.id;
}

const FIND_SECRETS = `
  SELECT c.id, s.secret_hash FROM oauth_clients c JOIN oauth_client_secrets s ON s.client_id = c.id
  WHERE c.client_id = $1 AND c.revoked_at IS NULL AND (s.expires_at IS NULL OR s.expires_at > now())`;

/** More than one while a secret is being rotated. */
async function findLiveSecrets(clientId: string): Promise<LiveSecret[]> {
  if (!CLIENT_ID.test(clientId)) return [];
  const { rows } = await acrossOrganizations(() => pool().query<LiveSecret>(FIND_SECRETS, [clientId]));
  return rows;
}
