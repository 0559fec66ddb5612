import { readFileSync } from "node:fs";

import { obtainAccessToken } from "@/scripts/demo/obtain-access-token";

/**
 * The running service, and how to sign in to its organization: the content of `.data/demo.json`, written by `npm run
 * demo`.
 */
export interface Demo {
  base_url: string;
  admin: { email: string; password: string };
  oauth_client: { client_id: string; client_secret: string; redirect_uri: string };
  sandbox_org: { ext_instance_url: string; ext_access_token: string };
}

export function readDemo(): Demo {
  const file = process.env.SERVICE_FILE;
  if (!file)
    throw new Error(
      "Set SERVICE_FILE to the file that `npm run demo` or `npm run seed:demo` writes (.data/demo.json).",
    );
  return JSON.parse(readFileSync(file, "utf8")) as Demo;
}

/** An access token for the whole CRM, obtained by an independent library through the public grant. */
export async function tokenOf({ base_url, admin, oauth_client }: Demo): Promise<string> {
  const options = { baseUrl: base_url, ...admin, client: oauth_client, scope: "crm:read crm:write" };
  return (await obtainAccessToken(options)).access_token;
}
