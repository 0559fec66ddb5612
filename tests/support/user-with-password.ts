import { prisma, transaction } from "@/lib/database/db";
import { inOrganization } from "@/lib/database/organization-scope";
import type { role } from "@/lib/generated/prisma/enums";
import { parseInput } from "@/lib/input/parse-input";
import { hashPassword } from "@/lib/sessions/passwords/password";
import { assertStrongPassword } from "@/lib/sessions/passwords/password-strength";
import { insertUser } from "@/lib/sessions/people/insert-user";
import { type Person, person } from "@/lib/sessions/people/person";

/** Adds somebody who signs in by e-mail and password, and returns the user's id. Throws what the service refuses. */
export async function createUserWithPassword(organizationId: string, input: Person, role: role): Promise<string> {
  const { email, name, password } = parseInput(person, input, "Some of the fields are not valid; see `errors`.");
  const organization = await inOrganization(organizationId, () =>
    prisma().organizations.findFirstOrThrow({ where: { id: organizationId }, select: { name: true } }),
  );
  assertStrongPassword(password, { email, name, organization: organization.name }, "/password");
  const passwordHash = await hashPassword(password);
  return transaction((client) => insertUser(client, { organizationId, email, name, passwordHash, role }));
}
