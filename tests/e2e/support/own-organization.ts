import { randomBytes } from "node:crypto";

import { createOrganization } from "@/lib/sessions/people/organizations";
import type { Credentials } from "@/tests/e2e/support/member";
import { createUserWithPassword } from "@/tests/support/user-with-password";

interface OwnOrganization {
  organizationId: string;
  name: string;
  admin: Credentials;
  member: Credentials;
}

function credentials(who: string): Credentials {
  return {
    email: `${who}-${randomBytes(4).toString("hex")}@own.example`,
    password: randomBytes(12).toString("base64url"),
  };
}

/**
 * Creates an organization beside the demo's, with an admin and a member, for tests that change what holds for a whole
 * organization. It writes to the database, as `createMember` does.
 */
export async function createOwnOrganization(): Promise<OwnOrganization> {
  const [admin, member] = [credentials("admin"), credentials("member")];
  const name = `Own ${randomBytes(3).toString("hex")}`;
  const { organizationId } = await createOrganization({ name, admin: { ...admin, name: "Olga Owner" } });
  await createUserWithPassword(organizationId, { ...member, name: "Mia Member" }, "member");
  return { organizationId, name, admin, member };
}
