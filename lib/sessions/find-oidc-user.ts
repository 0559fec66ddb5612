import type { Prisma } from "@/lib/generated/prisma/client";
import type { OidcIdentity } from "@/lib/sessions/oidc-identity";

/** A user as far as a sign-in through a provider must know. */
export interface OidcUser {
  id: string;
  isDisabled: boolean;
  /** The organization that they joined first, or null when they belong to none. */
  organizationId: string | null;
  /** The issuer of the account that they are linked to. */
  issuer: string | null;
}

const SELECT = {
  id: true,
  disabled_at: true,
  oidc_issuer: true,
  memberships: { select: { organization_id: true }, orderBy: [{ created_at: "asc" }, { organization_id: "asc" }], take: 1 },
} satisfies Prisma.usersSelect;

/** The user who is linked to this very account at the provider. */
export async function findLinkedUser(database: Prisma.TransactionClient, { issuer, subject }: OidcIdentity): Promise<OidcUser | null> {
  const where = { oidc_issuer_oidc_subject: { oidc_issuer: issuer, oidc_subject: subject } };
  return toOidcUser(await database.users.findUnique({ where, select: SELECT }));
}

/** The user who has this e-mail here, whoever has it at the provider. */
export async function findUserByEmail(database: Prisma.TransactionClient, email: string): Promise<OidcUser | null> {
  return toOidcUser(await database.users.findUnique({ where: { email }, select: SELECT }));
}

function toOidcUser(row: Prisma.usersGetPayload<{ select: typeof SELECT }> | null): OidcUser | null {
  if (!row) return null;
  const { id, disabled_at: disabledAt, oidc_issuer: issuer, memberships } = row;
  return { id, issuer, isDisabled: disabledAt !== null, organizationId: memberships[0]?.organization_id ?? null };
}
