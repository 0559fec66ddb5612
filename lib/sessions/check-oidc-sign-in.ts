import { recordAudit } from "@/lib/audit";
import { pool } from "@/lib/db";
import { findLinkedUser, type FoundUser } from "@/lib/sessions/find-user";
import { firstOidcSignIn, type OidcRefusal, type OidcSignIn } from "@/lib/sessions/first-oidc-sign-in";
import type { NewSession } from "@/lib/sessions/start-session";
import { countAttempt, type Throttle } from "@/lib/throttle";

/** Whoever has an account at the provider can be refused as somebody else for ever: told a few times, it does not fill the audit log. */
const TOLD: Throttle = { name: "oidc-refusal-told", limit: 10, windowSeconds: 15 * 60 };

export type OidcSignInCheck = { outcome: "accepted"; session: NewSession } | { outcome: "refused"; reason: OidcRefusal };

/**
 * Who somebody is that the provider has vouched for. Once linked, it is issuer and subject that count, whatever becomes of the e-mail
 * (OpenID Connect Core 1.0 §5.7). Refusals of somebody known here are told in the audit log of their organization, within bounds.
 */
export async function checkOidcSignIn(signIn: OidcSignIn): Promise<OidcSignInCheck> {
  const {
    identity,
    visit: { address, browser },
  } = signIn;
  const linked = await findLinkedUser(pool(), identity);
  const found = linked ? { user: linked } : await firstOidcSignIn(signIn);
  if ("refusal" in found) return refuse(found.refusal, found.user, address);
  const { user } = found;
  if (user.isDisabled) return refuse("disabled", user, address);
  if (user.organizationId === null) return refuse("no_organization", user, address);
  return { outcome: "accepted", session: { organizationId: user.organizationId, userId: user.id, address, browser, method: "oidc" } };
}

async function refuse(reason: OidcRefusal, user: FoundUser | null, address: string): Promise<OidcSignInCheck> {
  if (user?.organizationId && (await countAttempt(TOLD, `${user.id} ${reason}`)) === 0) {
    const details = { method: "oidc", reason };
    await recordAudit(pool(), { organizationId: user.organizationId, action: "sign_in.failed", address, userId: user.id, details });
  }
  return { outcome: "refused", reason };
}
