import { env } from "@/lib/env";
import { SalesforceError } from "@/lib/salesforce/errors";
import type { OAuthApp } from "@/lib/salesforce/oauth";

/** Where Salesforce redirects the browser; must be entered in the Salesforce app. */
const CALLBACK_PATH = "/migration/callback";

/** This service as a client of Salesforce. Throws `source_sign_in_not_set_up`, with the remedy, if it is not set up. */
export function salesforceApp(): OAuthApp {
  const { SALESFORCE_CLIENT_ID: clientId, SALESFORCE_CLIENT_SECRET: clientSecret, APP_URL } = env;
  const redirectUri = `${APP_URL}${CALLBACK_PATH}`;
  if (clientId && clientSecret) return { clientId, clientSecret, redirectUri };
  throw new SalesforceError(
    "source_sign_in_not_set_up",
    "Salesforce does not know this service yet. Connect with an access token instead. For whoever runs this " +
      `service: create an External Client App in Salesforce with the callback address ${redirectUri}, and set ` +
      "SALESFORCE_CLIENT_ID and SALESFORCE_CLIENT_SECRET.",
  );
}
