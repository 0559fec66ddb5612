import { prisma } from "@/lib/db";
import type { Prisma } from "@/lib/generated/prisma/client";
import { findLinkedUser, findUserByEmail, type OidcUser } from "@/lib/sessions/find-oidc-user";
import { insertUser } from "@/lib/sessions/insert-user";
import type { OidcIdentity } from "@/lib/sessions/oidc-identity";

/** Any constant will do; first sign-ins through the provider take it in turn, so that of two at once the second finds what the first has done. */
const FIRST_SIGN_IN_LOCK = 7_305_012;

export type OidcRefusal = "unknown" | "unverified" | "disabled" | "no_organization" | "linked_elsewhere";

export type FirstOidcSignIn = { user: OidcUser; first?: "linked" | "joined" } | { refusal: OidcRefusal; user: OidcUser | null };

/**
 * Who somebody is that no user is linked to yet: the enabled member with the e-mail that the provider has verified, who is linked from now on;
 * else, with an e-mail of one of `emailDomains`, a new member of the only organization. An e-mail that is not verified is nobody's.
 */
export function firstOidcSignIn(identity: OidcIdentity, emailDomains: readonly string[]): Promise<FirstOidcSignIn> {
  return prisma().$transaction(async (transaction) => {
    await transaction.$executeRaw`SELECT pg_advisory_xact_lock(${FIRST_SIGN_IN_LOCK})`;
    const linked = await findLinkedUser(transaction, identity);
    if (linked) return { user: linked };
    const { email, isEmailVerified } = identity;
    const user = email === null ? null : await findUserByEmail(transaction, email);
    if (email === null || !isEmailVerified) return { refusal: "unverified", user };
    return user ? linkUser(transaction, user, identity) : join(transaction, { ...identity, email }, emailDomains);
  });
}

/** A link to an issuer that is no longer configured is worth nothing, so it gives way; one to another account at this issuer does not. */
async function linkUser(transaction: Prisma.TransactionClient, user: OidcUser, { issuer, subject }: OidcIdentity): Promise<FirstOidcSignIn> {
  if (user.isDisabled) return { refusal: "disabled", user };
  if (user.organizationId === null) return { refusal: "no_organization", user };
  if (user.issuer === issuer) return { refusal: "linked_elsewhere", user };
  await transaction.users.update({ where: { id: user.id }, data: { oidc_issuer: issuer, oidc_subject: subject } });
  return { user, first: "linked" };
}

async function join(
  transaction: Prisma.TransactionClient,
  { issuer, subject, email, name }: OidcIdentity & { email: string },
  emailDomains: readonly string[],
): Promise<FirstOidcSignIn> {
  const refused = { refusal: "unknown", user: null } as const;
  if (!emailDomains.includes(email.slice(email.lastIndexOf("@") + 1))) return refused;
  const [organization, another] = await transaction.organizations.findMany({ select: { id: true }, take: 2 });
  if (!organization || another) return refused;
  const membership = { organizationId: organization.id, role: "member" } as const;
  const id = await insertUser(transaction, { ...membership, email, name, passwordHash: null, oidc: { issuer, subject } });
  return { user: { id, organizationId: organization.id, isDisabled: false, issuer }, first: "joined" };
}
