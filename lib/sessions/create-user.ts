import { prisma } from "@/lib/db";
import type { role } from "@/lib/generated/prisma/enums";
import { insertUser } from "@/lib/sessions/insert-user";
import { parsePerson } from "@/lib/sessions/parse-person";
import { hashPassword } from "@/lib/sessions/password";
import { type Person, person } from "@/lib/sessions/person";

/** Adds somebody to an organization and returns the user's id. Throws `invalid_request` per field, or `conflict` when the e-mail is taken. */
export async function createUser(organizationId: string, input: Person, role: role): Promise<string> {
  const { email, name, password } = parsePerson(person, input);
  const passwordHash = await hashPassword(password);
  return prisma().$transaction((transaction) => insertUser(transaction, { organizationId, email, name, passwordHash, role }));
}
