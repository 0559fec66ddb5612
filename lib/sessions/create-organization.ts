import { transaction } from "@/lib/db";
import { parseInput } from "@/lib/parse-input";
import { type CreatedOrganization, insertOrganization } from "@/lib/sessions/insert-organization";
import { hashPassword } from "@/lib/sessions/password";
import { type NewOrganization, organization } from "@/lib/sessions/person";
import { refuseWeakPassword } from "@/lib/sessions/refuse-weak-password";

/** Creates an organization and its first admin. Throws `invalid_request` per field, or `conflict` when the admin's e-mail is taken. */
export async function createOrganization(input: NewOrganization): Promise<CreatedOrganization> {
  const { name, admin } = parseInput(organization, input, "Some fields need another look.");
  refuseWeakPassword(admin.password, { ...admin, organization: name }, "/admin/password");
  const passwordHash = await hashPassword(admin.password);
  return transaction((client) => insertOrganization(client, name, { email: admin.email, name: admin.name, passwordHash }));
}
