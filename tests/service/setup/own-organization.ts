import { randomBytes } from "node:crypto";

import { closeDatabase } from "@/lib/database/db";
import { createOrganization } from "@/lib/sessions/people/organizations";
import { SettingsApi } from "@/tests/service/support/settings-api";
import { type Browser, signInBrowser } from "@/scripts/demo/obtain-access-token";
import { createUserWithPassword } from "@/tests/support/user-with-password";

/** A person who is signed in to the service. */
export interface SignedIn {
  userId: string;
  email: string;
  password: string;
  browser: Browser;
  settings: SettingsApi;
}

/** A separate organization for one test, in the running service's database, with a signed-in admin and member. */
export interface OwnOrganization {
  organizationId: string;
  admin: SignedIn;
  member: SignedIn;
}

/** Creates it. `npm test` sets DATABASE_URL to the database of the running service; set it by hand otherwise. */
export async function ownOrganization(baseUrl: string): Promise<OwnOrganization> {
  if (!process.env.DATABASE_URL)
    throw new Error("Set DATABASE_URL to the database of the service that runs at SERVICE_FILE's base_url.");
  const [admin, member] = [newPerson("admin"), newPerson("member")];
  const { organizationId, userId } = await createOrganization({ name: "Fells Bakery", admin });
  const memberId = await createUserWithPassword(organizationId, member, "member");
  await closeDatabase();
  return {
    organizationId,
    admin: await signIn(baseUrl, userId, admin),
    member: await signIn(baseUrl, memberId, member),
  };
}

interface NewPerson {
  name: string;
  email: string;
  password: string;
}

function newPerson(kind: string): NewPerson {
  return {
    name: `A ${kind}`,
    email: `${kind}-${randomBytes(6).toString("hex")}@own.example`,
    password: randomBytes(12).toString("base64url"),
  };
}

async function signIn(baseUrl: string, userId: string, { email, password }: NewPerson): Promise<SignedIn> {
  const browser = await signInBrowser({ baseUrl, email, password });
  return { userId, email, password, browser, settings: new SettingsApi(baseUrl, browser) };
}
