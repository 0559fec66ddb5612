import { prisma, transaction } from "@/lib/db";
import type { role } from "@/lib/generated/prisma/enums";
import { inOrganization } from "@/lib/organization-scope";
import { parseInput } from "@/lib/parse-input";
import { insertUser } from "@/lib/sessions/insert-user";
import { hashPassword } from "@/lib/sessions/password";
import { type Person, person } from "@/lib/sessions/person";
import { refuseWeakPassword } from "@/lib/sessions/refuse-weak-password";

/** Adds somebody to an organization and returns the user's id. Throws `invalid_request` per field, or `conflict` when the e-mail is taken. */
export async function createUser(organizationId: string, input: Person, role: role): Promise<string> {
  const { email, name, password } = parseInput(person, input, "Some fields need another look.");
  const organization = await inOrganization(organizationId, () =>
    prisma().organizations.findFirstOrThrow({ where: { id: organizationId }, select: { name: true } }),
  );
  refuseWeakPassword(password, { email, name, organization: organization.name }, "/password");
  const passwordHash = await hashPassword(password);
  return transaction((client) => insertUser(client, { organizationId, email, name, passwordHash, role }));
}
