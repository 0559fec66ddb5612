import type { Context } from "@/lib/context";
import { decrypt } from "@/lib/crypto";
import { pool, prisma } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { isId } from "@/lib/ids";
import { VERIFIER_PURPOSE } from "@/lib/migration/authorize-connection";
import { connectionRow } from "@/lib/migration/connections";
import { salesforceApp } from "@/lib/migration/salesforce-app";
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
  code_verifier_enc: Buffer;
}

/**
 * The second half of connecting by a sign-in at Salesforce: takes the attempt that `state` names, which works once, within ten minutes and for the user who
 * began it, exchanges the code, tries the org, and stores the connection. Returns its id. Throws the refusal as a sentence.
 */
export async function completeConnection(context: Pick<Context, "organizationId" | "userId">, callback: CallbackParameters): Promise<string> {
  const attempt = await takeAttempt(context, callback.state);
  if (callback.error) throw oauthRefusal(callback.error, callback.error_description ?? "");
  if (!callback.code) throw new AppError("source_error", "Salesforce sent no code back. Connect again.");
  const verifier = decrypt(VERIFIER_PURPOSE, attempt.code_verifier_enc);
  const tokens = await exchangeCode(attempt.login_url, salesforceApp(), callback.code, verifier);
  const org = await probeOrg(instanceOrigin(tokens.instance_url), tokens.access_token);
  const row = connectionRow(context, org, { accessToken: tokens.access_token, refreshToken: tokens.refresh_token, loginUrl: attempt.login_url });
  await prisma().connections.create({ data: row });
  return row.id;
}

async function takeAttempt({ organizationId, userId }: Pick<Context, "organizationId" | "userId">, state: string | null): Promise<Attempt> {
  const taken =
    state && isId(state)
      ? await pool().query<Attempt>(
          `DELETE FROM connection_attempts WHERE id = $1 AND organization_id = $2 AND user_id = $3 AND expires_at > now()
           RETURNING login_url, code_verifier_enc`,
          [state, organizationId, userId],
        )
      : null;
  const attempt = taken?.rows[0];
  if (attempt) return attempt;
  throw new AppError("source_error", "This sign-in at Salesforce was begun too long ago, by somebody else, or is used up. Connect again.");
}
