import { recordAudit } from "@/lib/audit";
import { pool, prisma } from "@/lib/db";
import { findLinkedUser, type OidcUser } from "@/lib/sessions/find-oidc-user";
import { firstOidcSignIn, type OidcRefusal } from "@/lib/sessions/first-oidc-sign-in";
import type { OidcIdentity } from "@/lib/sessions/oidc-identity";
import type { NewSession } from "@/lib/sessions/start-session";

interface OidcSignIn {
  identity: OidcIdentity;
  /** The domains whose people may become members. */
  emailDomains: readonly string[];
  /** The network address that it comes from. */
  address: string;
}

export type OidcSignInCheck = { outcome: "accepted"; session: NewSession } | { outcome: "refused"; reason: OidcRefusal };

/**
 * Who somebody is that the provider has vouched for. Once linked, it is issuer and subject that count, whatever becomes of the e-mail
 * (OpenID Connect Core 1.0 §5.7). Refusals of somebody known here are told in the audit log of their organization.
 */
export async function checkOidcSignIn({ identity, emailDomains, address }: OidcSignIn): Promise<OidcSignInCheck> {
  const linked = await findLinkedUser(prisma(), identity);
  const found = linked ? { user: linked } : await firstOidcSignIn(identity, emailDomains);
  if ("refusal" in found) return refuse(found.refusal, found.user, address);
  const { user } = found;
  if (user.isDisabled) return refuse("disabled", user, address);
  if (user.organizationId === null) return refuse("no_organization", user, address);
  const session = { organizationId: user.organizationId, userId: user.id, address, method: "oidc", first: found.first } as const;
  return { outcome: "accepted", session };
}

async function refuse(reason: OidcRefusal, user: OidcUser | null, address: string): Promise<OidcSignInCheck> {
  if (user?.organizationId) {
    const details = { method: "oidc", reason };
    await recordAudit(pool(), { organizationId: user.organizationId, action: "sign_in.failed", address, userId: user.id, details });
  }
  return { outcome: "refused", reason };
}
