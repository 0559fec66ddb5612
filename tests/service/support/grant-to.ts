import { createHash, randomBytes } from "node:crypto";

import type { NewApiClient } from "@/tests/service/support/settings-api";
import { consent, type Browser } from "@/scripts/demo/obtain-access-token";

/** The result of one consent. */
export interface Grant {
  accessToken: string;
  code: string;
  verifier: string;
  /** Sends the same valid request with the same code again. */
  replay: () => Promise<Response>;
}

interface Terms {
  baseUrl: string;
  client: Pick<NewApiClient, "client_id" | "client_secret">;
  redirectUri: string;
}

/** Allows a client in a signed-in browser, and redeems the code as a client does, with only `fetch`. */
export async function grantTo(browser: Browser, { baseUrl, client, redirectUri }: Terms): Promise<Grant> {
  const verifier = randomBytes(32).toString("base64url");
  const url = new URL("/oauth/authorize", baseUrl);
  url.search = new URLSearchParams({
    response_type: "code",
    client_id: client.client_id,
    redirect_uri: redirectUri,
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
  }).toString();
  const code = (await consent(browser, url)).searchParams.get("code") ?? "";
  const { client_id, client_secret } = client;
  const form = {
    grant_type: "authorization_code",
    code,
    redirect_uri: redirectUri,
    code_verifier: verifier,
    client_id,
    client_secret,
  };
  const redeem = () => fetch(new URL("/oauth/token", baseUrl), { method: "POST", body: new URLSearchParams(form) });
  const answer = (await (await redeem()).json()) as { access_token?: string };
  if (!answer.access_token) throw new Error(`The code gave no token: ${JSON.stringify(answer)}`);
  return { accessToken: answer.access_token, code, verifier, replay: redeem };
}
