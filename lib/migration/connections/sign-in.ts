import { z } from "zod";

import type { Context } from "@/lib/context";
import { prisma, pool, transaction } from "@/lib/database/db";
import { acrossOrganizations, inOrganization } from "@/lib/database/organization-scope";
import { AppError } from "@/lib/errors";
import { newId, isId } from "@/lib/ids";
import { tryToRevoke } from "@/lib/migration/connections/end-connections";
import { salesforceApp } from "@/lib/migration/connections/salesforce-app";
import { connectionRow, storeConnection } from "@/lib/migration/connections/stored-connection";
import { trySupersede } from "@/lib/migration/connections/supersede-connections";
import { defineOperation } from "@/lib/operation";
import { isSharedSignIn, loginOrigin, instanceOrigin } from "@/lib/salesforce/instance-url";
import { authorizeUrl, exchangeCode, oauthRefusal, type Tokens } from "@/lib/salesforce/oauth";
import { findVersion, probeOrg } from "@/lib/salesforce/probe";
import { encrypt, type EncryptionContext, randomSecret, decrypt, DecryptionError } from "@/lib/security/crypto";

const ATTEMPT_LIFETIME_MS = 10 * 60 * 1000;

/** The place that the code verifier of an attempt is encrypted for. */
function verifierContext(organizationId: string, attemptId: string): EncryptionContext {
  return ["connection_attempts.code_verifier_enc", organizationId, attemptId];
}

/** Starts a sign-in at Salesforce. {@link completeConnection} finishes it. */
export const authorizeConnection = defineOperation({
  name: "authorize_connection",
  summary:
    "Begin to connect a Salesforce org by signing in at Salesforce: send the browser to `authorize_url`; it returns " +
    "with a connection.",
  scopes: ["crm:write"],
  stores: true,
  input: z.strictObject({
    login_url: z
      .string()
      .min(1)
      .max(2000)
      .default("https://login.salesforce.com")
      .describe(
        "Where to sign in: https://login.salesforce.com, https://test.salesforce.com for a sandbox, or the org's My " +
          "Domain.",
      ),
  }),
  output: z.object({ authorize_url: z.url() }),
  async run(context, { login_url }) {
    const app = salesforceApp();
    const loginUrl = loginOrigin(login_url);
    // A browser that is sent to a mistyped My Domain would not return to show an error.
    if (!isSharedSignIn(loginUrl)) await findVersion(loginUrl);
    const verifier = randomSecret();
    await purgeConnectionAttempts();
    const now = new Date();
    const id = newId();
    await prisma().connection_attempts.create({
      data: {
        id,
        organization_id: context.organizationId,
        user_id: context.userId,
        login_url: loginUrl,
        code_verifier_enc: encrypt(verifierContext(context.organizationId, id), verifier),
        created_at: now,
        expires_at: new Date(now.getTime() + ATTEMPT_LIFETIME_MS),
      },
    });
    return { authorize_url: authorizeUrl(loginUrl, app, id, verifier) };
  },
});

/** Deletes the attempts of all organizations that have expired. */
export async function purgeConnectionAttempts(): Promise<void> {
  const where = { expires_at: { lt: new Date() } };
  await acrossOrganizations(() => prisma().connection_attempts.deleteMany({ where }));
}

/** The parameters with which Salesforce redirects the browser back (RFC 6749 §4.1.2). */
export interface CallbackParameters {
  state: string | null;
  code: string | null;
  error: string | null;
  error_description: string | null;
}

interface Attempt {
  login_url: string;
  verifier: string;
}

/**
 * Finishes a sign-in at Salesforce: consumes the attempt that `state` names, exchanges the code, tests the org, and
 * stores the connection. An attempt works once, for ten minutes, and for the user who started it. Returns the id of the
 * connection. Throws the refusal as a sentence; access that was not stored is revoked before.
 */
export function completeConnection(context: Context, callback: CallbackParameters): Promise<string> {
  return inOrganization(context.organizationId, () => complete(context, callback));
}

async function complete(context: Context, callback: CallbackParameters): Promise<string> {
  const attempt = await consumeAttempt(context, callback.state);
  if (callback.error) throw oauthRefusal(callback.error, callback.error_description ?? "");
  if (!callback.code) throw new AppError("source_error", "Salesforce returned no code. Connect again.");
  const tokens = await exchangeCode(attempt.login_url, salesforceApp(), callback.code, attempt.verifier);
  const id = await storeAccess(context, attempt.login_url, tokens).catch(async (error: unknown) => {
    // Nobody else knows it, so nobody could revoke it later.
    await tryToRevoke(attempt.login_url, tokens.refresh_token ?? tokens.access_token);
    throw error;
  });
  await trySupersede(context.organizationId, id);
  return id;
}

/** Tests the org that tokens give access to, and stores the connection. Returns its id. */
async function storeAccess(context: Context, loginUrl: string, tokens: Tokens): Promise<string> {
  const org = await probeOrg(instanceOrigin(tokens.instance_url), tokens.access_token);
  const row = connectionRow(context, org, {
    accessToken: tokens.access_token,
    refreshToken: tokens.refresh_token,
    loginUrl,
  });
  await transaction((client) => storeConnection(client, context, row));
  return row.id;
}

async function consumeAttempt(
  { organizationId, userId }: Pick<Context, "organizationId" | "userId">,
  state: string | null,
): Promise<Attempt> {
  const consumed =
    state && isId(state)
      ? await pool().query<{ id: string; login_url: string; code_verifier_enc: Buffer }>(
          `DELETE FROM connection_attempts
           WHERE id = $1 AND organization_id = $2 AND user_id = $3 AND expires_at > now()
           RETURNING id, login_url, code_verifier_enc`,
          [state, organizationId, userId],
        )
      : null;
  const attempt = consumed?.rows[0];
  try {
    if (attempt)
      return {
        login_url: attempt.login_url,
        verifier: decrypt(verifierContext(organizationId, attempt.id), attempt.code_verifier_enc),
      };
  } catch (error) {
    // APP_SECRET was changed meanwhile: the attempt counts as expired.
    if (!(error instanceof DecryptionError)) throw error;
  }
  throw new AppError(
    "source_error",
    "This sign-in at Salesforce has expired, was started by another user, or was already used. Connect again.",
  );
}
