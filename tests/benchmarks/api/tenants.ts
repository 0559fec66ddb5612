import { randomBytes } from "node:crypto";

import type { Service } from "@/scripts/service/supervisor/start-service";
import { obtainAccessToken } from "@/scripts/demo/obtain-access-token";

const REDIRECT_URI = "http://127.0.0.1:53682/callback";

/** An organization, one of its clients, and an access token of that client. */
export interface Tenant {
  organizationId: string;
  userId: string;
  client: { client_id: string; client_secret: string; redirect_uri: string };
  token: string;
}

/**
 * Creates organizations with an admin and an OAuth client each, and obtains each token with the authorization code
 * grant.
 */
export async function createTenants({ baseUrl }: Pick<Service, "baseUrl">, count: number): Promise<Tenant[]> {
  const tenants: Tenant[] = [];
  for (let number = 1; number <= count; number += 1) tenants.push(await createTenant(baseUrl, number));
  return tenants;
}

async function createTenant(baseUrl: string, number: number): Promise<Tenant> {
  const { createOrganization } = await import("@/lib/sessions/people/organizations");
  const { inOrganization } = await import("@/lib/database/organization-scope");
  const { registerClient } = await import("@/lib/oauth/clients/register-client");
  const admin = { email: `admin-${number}@benchmark.example`, password: randomBytes(12).toString("base64url") };
  const { organizationId, userId } = await createOrganization({
    name: `Benchmark ${number}`,
    admin: { name: "Admin", ...admin },
  });
  const registration = {
    name: "Benchmark",
    redirect_uris: [REDIRECT_URI],
    scopes: ["crm:read", "crm:write"] as ["crm:read", "crm:write"],
  };
  const { client_id, client_secret } = await inOrganization(organizationId, () =>
    registerClient({ organizationId, userId }, registration),
  );
  const client = { client_id, client_secret, redirect_uri: REDIRECT_URI };
  const { access_token: token } = await obtainAccessToken({ baseUrl, ...admin, client, scope: "crm:read crm:write" });
  return { organizationId, userId, client, token };
}
