import { randomBytes } from "node:crypto";

import { type DemoFile, readDemoFile, writeDemoFile } from "@/scripts/demo/demo-file";

const REDIRECT_URI = "http://127.0.0.1:53682/callback";

/**
 * Creates the demo organization, its admin and its OAuth client once per database, and writes `.data/demo.json`. What
 * an earlier run created in this database is used again. DATABASE_URL and APP_SECRET must be set before.
 */
export async function seedOrganization(
  dataDir: string,
  baseUrl: string,
  sandboxOrg: DemoFile["sandbox_org"],
): Promise<DemoFile> {
  const earlier = await readDemoFile(dataDir);
  const known = earlier && (await isInThisDatabase(earlier)) ? earlier : await create();
  const demo: DemoFile = {
    base_url: baseUrl,
    admin: known.admin,
    oauth_client: known.oauth_client,
    sandbox_org: sandboxOrg,
  };
  await writeDemoFile(dataDir, demo);
  return demo;
}

async function isInThisDatabase(demo: DemoFile): Promise<boolean> {
  const { prisma } = await import("@/lib/database/db");
  const { acrossOrganizations } = await import("@/lib/database/organization-scope");
  const [user, client] = await Promise.all([
    acrossOrganizations(() => prisma().users.findFirst({ where: { email: demo.admin.email } })),
    acrossOrganizations(() => prisma().oauth_clients.findFirst({ where: { client_id: demo.oauth_client.client_id } })),
  ]);
  return Boolean(user && client && !client.revoked_at);
}

async function create(): Promise<Pick<DemoFile, "admin" | "oauth_client">> {
  const { createOrganization } = await import("@/lib/sessions/people/organizations");
  const { inOrganization } = await import("@/lib/database/organization-scope");
  const { registerClient } = await import("@/lib/oauth/clients/register-client");
  const suffix = randomBytes(3).toString("hex");
  const admin = { email: `admin-${suffix}@demo.example`, password: randomBytes(12).toString("base64url") };
  const created = await createOrganization({ name: "Demo", admin: { name: "Demo Admin", ...admin } });
  const client = await inOrganization(created.organizationId, () =>
    registerClient(created, {
      name: "Demo client",
      redirect_uris: [REDIRECT_URI],
      scopes: ["crm:read", "crm:write"],
    }),
  );
  return {
    admin,
    oauth_client: { client_id: client.client_id, client_secret: client.client_secret, redirect_uri: REDIRECT_URI },
  };
}
