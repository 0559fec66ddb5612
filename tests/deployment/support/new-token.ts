import { grantTo } from "@/tests/service/support/grant-to";
import { SettingsApi } from "@/tests/service/support/settings-api";
import { setUp } from "@/tests/service/setup/use-every-secret";

const REDIRECT_URI = "http://127.0.0.1:53686/callback";

/** Creates the organization of a new deployment, and an access token of its admin. */
export async function newToken(baseUrl: string): Promise<string> {
  const browser = await setUp(baseUrl);
  const client = await new SettingsApi(baseUrl, browser).register(REDIRECT_URI, ["crm:read", "crm:write"]);
  return (await grantTo(browser, { baseUrl, client, redirectUri: REDIRECT_URI })).accessToken;
}
