import { randomBytes } from "node:crypto";

import { expect, type Page } from "@playwright/test";

import { readDemo } from "@/tests/e2e/support/demo";
import { pool } from "@/tests/support/owner";
import { createUserWithPassword } from "@/tests/support/user-with-password";

/** Somebody who signs in by the form. */
export interface Credentials {
  email: string;
  password: string;
}

/**
 * Creates a member of the demo's organization, who is no admin. It writes to the database, since adding one in the
 * settings takes several pages. DATABASE_URL, DATABASE_OWNER_URL and APP_SECRET must be those of the service, as `npm
 * test` sets them.
 */
export async function createMember(): Promise<Credentials> {
  const { admin } = readDemo();
  const { rows } = await pool().query<{ organization_id: string }>(
    "SELECT m.organization_id FROM users u JOIN memberships m ON m.user_id = u.id WHERE u.email = $1",
    [admin.email],
  );
  const organizationId = rows[0]?.organization_id;
  if (!organizationId) throw new Error("The demo's admin is not in the database of DATABASE_URL.");
  const credentials = {
    email: `member-${randomBytes(4).toString("hex")}@demo.example`,
    password: randomBytes(12).toString("base64url"),
  };
  await createUserWithPassword(organizationId, { ...credentials, name: "Demo Member" }, "member");
  return credentials;
}

/** Expects that a page says that only admins see it, and whom to ask, within the frame of the console. */
export async function expectForAdmins(page: Page, title: string): Promise<void> {
  await expect(page).toHaveTitle(new RegExp(`^${title} `));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
  const main = page.getByRole("main");
  await expect(main).toContainText("Only admins see this page.");
  await expect(main.getByRole("link", { name: readDemo().admin.email })).toBeVisible();
  // On a phone it is hidden.
  await expect(page.locator("#navigation")).toBeAttached();
}
