import { z } from "zod";

import { encrypt, type Place, randomSecret } from "@/lib/crypto";
import { prisma } from "@/lib/db";
import { newId } from "@/lib/ids";
import { salesforceApp } from "@/lib/migration/salesforce-app";
import { defineOperation } from "@/lib/operation";
import { acrossOrganizations } from "@/lib/organization-scope";
import { isSharedSignIn, loginOrigin } from "@/lib/salesforce/instance-url";
import { authorizeUrl } from "@/lib/salesforce/oauth";
import { findVersion } from "@/lib/salesforce/probe";

const LIFETIME_MS = 10 * 60 * 1000;

/** Where the code verifier of an attempt belongs. */
export function verifierPlace(organizationId: string, attemptId: string): Place {
  return ["connection_attempts.code_verifier_enc", organizationId, attemptId];
}

/** The first half of connecting by a sign-in at Salesforce; `complete-connection.ts` is the second. */
export const authorizeConnection = defineOperation({
  name: "authorize_connection",
  summary: "Begin to connect a Salesforce org by signing in at Salesforce: send the browser to `authorize_url`; it comes back with a connection.",
  scopes: ["crm:write"],
  stores: true,
  input: z.strictObject({
    login_url: z
      .string()
      .min(1)
      .max(2000)
      .default("https://login.salesforce.com")
      .describe("Where to sign in: https://login.salesforce.com, https://test.salesforce.com for a sandbox, or the org's My Domain."),
  }),
  output: z.object({ authorize_url: z.url() }),
  async run(context, { login_url }) {
    const app = salesforceApp();
    const loginUrl = loginOrigin(login_url);
    // A browser that is sent to a mistyped My Domain would not come back to be told so.
    if (!isSharedSignIn(loginUrl)) await findVersion(loginUrl);
    const verifier = randomSecret();
    const now = new Date();
    await acrossOrganizations(() => prisma().connection_attempts.deleteMany({ where: { expires_at: { lt: now } } }));
    const id = newId();
    await prisma().connection_attempts.create({
      data: {
        id,
        organization_id: context.organizationId,
        user_id: context.userId,
        login_url: loginUrl,
        code_verifier_enc: encrypt(verifierPlace(context.organizationId, id), verifier),
        created_at: now,
        expires_at: new Date(now.getTime() + LIFETIME_MS),
      },
    });
    return { authorize_url: authorizeUrl(loginUrl, app, id, verifier) };
  },
});
