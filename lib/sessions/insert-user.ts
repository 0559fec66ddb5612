import { AppError } from "@/lib/errors";
import { Prisma } from "@/lib/generated/prisma/client";
import type { role } from "@/lib/generated/prisma/enums";
import { newId } from "@/lib/ids";

interface NewUser {
  organizationId: string;
  email: string;
  name: string;
  /** Null for somebody who signs in through the provider alone. */
  passwordHash: string | null;
  role: role;
  /** The account at the OpenID provider that the user is linked to. */
  oidc?: { issuer: string; subject: string };
}

/** Writes a user and the membership within the caller's transaction, and returns the user's id. Throws `conflict` when the e-mail is taken. */
export async function insertUser(transaction: Prisma.TransactionClient, user: NewUser): Promise<string> {
  const id = newId();
  const now = new Date();
  try {
    await transaction.users.create({
      data: {
        id,
        email: user.email,
        name: user.name,
        password_hash: user.passwordHash,
        oidc_issuer: user.oidc?.issuer,
        oidc_subject: user.oidc?.subject,
        created_at: now,
        memberships: { create: { organization_id: user.organizationId, role: user.role, created_at: now } },
      },
    });
  } catch (error) {
    if (!(error instanceof Prisma.PrismaClientKnownRequestError) || error.code !== "P2002") throw error;
    throw new AppError("conflict", "Somebody with this e-mail address can already sign in here. Use another address.", {
      errors: [{ pointer: "/email", code: "taken", detail: "This e-mail address is already in use." }],
    });
  }
  return id;
}
