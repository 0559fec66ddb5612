import type { Context } from "@/lib/context";
import { decrypt, Undecryptable } from "@/lib/crypto";
import { pool, transaction } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { isId } from "@/lib/ids";
import { verifierPlace } from "@/lib/migration/authorize-connection";
import { connectionRow, storeConnection } from "@/lib/migration/connections";
import { salesforceApp } from "@/lib/migration/salesforce-app";
import { inOrganization } from "@/lib/organization-scope";
import { instanceOrigin } from "@/lib/salesforce/instance-url";
import { exchangeCode, oauthRefusal } from "@/lib/salesforce/oauth";
import { probeOrg } from "@/lib/salesforce/probe";

/** What Salesforce sent the browser back with (RFC 6749 §4.1.2). */
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
 * The second half of connecting by a sign-in at Salesforce: takes the attempt that `state` names, which works once, within ten minutes and for the user who
 * began it, exchanges the code, tries the org, and stores the connection. Returns its id. Throws the refusal as a sentence.
 */
export function completeConnection(context: Context, callback: CallbackParameters): Promise<string> {
  return inOrganization(context.organizationId, () => complete(context, callback));
}

async function complete(context: Context, callback: CallbackParameters): Promise<string> {
  const attempt = await takeAttempt(context, callback.state);
  if (callback.error) throw oauthRefusal(callback.error, callback.error_description ?? "");
  if (!callback.code) throw new AppError("source_error", "Salesforce sent no code back. Connect again.");
  const tokens = await exchangeCode(attempt.login_url, salesforceApp(), callback.code, attempt.verifier);
  const org = await probeOrg(instanceOrigin(tokens.instance_url), tokens.access_token);
  const row = connectionRow(context, org, { accessToken: tokens.access_token, refreshToken: tokens.refresh_token, loginUrl: attempt.login_url });
  await transaction((client) => storeConnection(client, context, row));
  return row.id;
}

async function takeAttempt({ organizationId, userId }: Pick<Context, "organizationId" | "userId">, state: string | null): Promise<Attempt> {
  const taken =
    state && isId(state)
      ? await pool().query<{ id: string; login_url: string; code_verifier_enc: Buffer }>(
          `DELETE FROM connection_attempts WHERE id = $1 AND organization_id = $2 AND user_id = $3 AND expires_at > now()
           RETURNING id, login_url, code_verifier_enc`,
          [state, organizationId, userId],
        )
      : null;
  const attempt = taken?.rows[0];
  try {
    if (attempt) return { login_url: attempt.login_url, verifier: decrypt(verifierPlace(organizationId, attempt.id), attempt.code_verifier_enc) };
  } catch (error) {
    // The secret of this service was changed meanwhile: the attempt is as good as too old.
    if (!(error instanceof Undecryptable)) throw error;
  }
  throw new AppError("source_error", "This sign-in at Salesforce was begun too long ago, by somebody else, or is used up. Connect again.");
}
