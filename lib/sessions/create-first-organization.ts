import { transaction } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { acrossOrganizations } from "@/lib/organization-scope";
import { parseInput } from "@/lib/parse-input";
import { type CreatedOrganization, insertOrganization } from "@/lib/sessions/insert-organization";
import { organizationExists } from "@/lib/sessions/organization-exists";
import { hashPassword } from "@/lib/sessions/password";
import { type NewOrganization, organization } from "@/lib/sessions/person";
import { refuseWeakPassword } from "@/lib/sessions/refuse-weak-password";

/** Any constant will do; two first visits take it in turn. */
const SETUP_LOCK = 7_305_011;

/**
 * What the first-run page does, once: creates the organization and its admin. Of visits that race, one wins.
 * Throws `illegal_state` for ever after, `invalid_request` per field.
 */
export async function createFirstOrganization(input: NewOrganization): Promise<CreatedOrganization> {
  if (await organizationExists()) throw alreadySetUp();
  const { name, admin } = parseInput(organization, input, "Some fields need another look.");
  refuseWeakPassword(admin.password, { ...admin, organization: name }, "/admin/password");
  const passwordHash = await hashPassword(admin.password);
  return transaction(async (client) => {
    await client.query("SELECT pg_advisory_xact_lock($1)", [SETUP_LOCK]);
    const { rowCount } = await acrossOrganizations(() => client.query("SELECT FROM organizations LIMIT 1"));
    if (rowCount !== 0) throw alreadySetUp();
    return insertOrganization(client, name, { email: admin.email, name: admin.name, passwordHash });
  });
}

function alreadySetUp(): AppError {
  return new AppError("illegal_state", "This service has already been set up. Sign in instead.");
}
