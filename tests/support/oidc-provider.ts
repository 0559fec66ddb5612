import { createSign, generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

import { type Configuration, type KoaContextWithOIDC, Provider } from "oidc-provider";

/** The provider's claims of an account, beside its `sub`. */
export interface ProviderClaims {
  email?: string;
  email_verified?: unknown;
  name?: string;
}

export interface RunningProvider {
  issuer: string;
  clientId: string;
  clientSecret: string;
  stop: () => Promise<void>;
}

export interface ProviderOptions {
  redirectUri: string;
  /** The accounts. A sign-in names one, which becomes its `sub`. */
  claimsOf: (account: string) => ProviderClaims;
  /** Claims that replace the true ones in the ID token, which is signed all the same. */
  forgeClaims?: (claims: Record<string, unknown>) => Record<string, unknown>;
}

const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const CLIENT = { client_id: "crm-under-test", client_secret: "a-client-secret-of-the-provider-0123456789" };

/**
 * An OpenID provider (oidc-provider, certified) as a separate server on a free port. Its sign-in page asks for the
 * account and has "Continue" and "Cancel"; it asks for no consent. By its policy that page's form may lead to the
 * provider and to the client, and nowhere else.
 */
export async function startOidcProvider(options: ProviderOptions): Promise<RunningProvider> {
  const server = createServer();
  server.listen(0);
  await once(server, "listening");
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, configure(options));
  if (options.forgeClaims) forgeIdTokens(provider, options.forgeClaims);
  const answer = provider.callback();
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    if (request.url?.startsWith("/interaction/"))
      void interact(provider, request, response, new URL(options.redirectUri).origin);
    else void answer(request, response);
  });
  return { issuer, clientId: CLIENT.client_id, clientSecret: CLIENT.client_secret, stop: () => stop(server) };
}

/** The settings of a service that uses this provider. */
export function settingsOf({ issuer, clientId, clientSecret }: Omit<RunningProvider, "stop">) {
  return { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret, OIDC_NAME: "Example ID" };
}

function configure({ redirectUri, claimsOf }: ProviderOptions): Configuration {
  return {
    clients: [{ ...CLIENT, redirect_uris: [redirectUri] }],
    claims: { email: ["email", "email_verified"], profile: ["name"] },
    cookies: { keys: ["keys-of-a-test"] },
    features: { devInteractions: { enabled: false } },
    jwks: { keys: [{ ...privateKey.export({ format: "jwk" }), kid: "test", use: "sig" }] },
    findAccount: (_context, account) => ({
      accountId: account,
      claims: () => ({ sub: account, ...claimsOf(account) }),
    }),
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    loadExistingGrant: grantAll,
    pkce: { required: () => true },
    ttl: { IdToken: 3600, AccessToken: 3600, AuthorizationCode: 60, Grant: 3600, Interaction: 3600, Session: 3600 },
  };
}

async function grantAll({ oidc }: KoaContextWithOIDC) {
  const grant = new oidc.provider.Grant({
    clientId: oidc.client?.clientId ?? "",
    accountId: oidc.session?.accountId ?? "",
  });
  grant.addOIDCScope("openid email profile");
  await grant.save();
  return grant;
}

/** Signs other claims with the provider's key: a client must check the claims themselves. */
function forgeIdTokens(provider: Provider, forge: NonNullable<ProviderOptions["forgeClaims"]>): void {
  provider.use(async (context, next) => {
    await next();
    const body = context.body as { id_token?: string } | undefined;
    const [header = "", payload] = context.path === "/token" ? (body?.id_token?.split(".") ?? []) : [];
    if (!body || !payload) return;
    const claims = forge(JSON.parse(Buffer.from(payload, "base64url").toString()) as Record<string, unknown>);
    const signed = `${header}.${Buffer.from(JSON.stringify(claims)).toString("base64url")}`;
    body.id_token = `${signed}.${createSign("sha256").update(signed).sign(privateKey, "base64url")}`;
  });
}

async function interact(
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
  client: string,
): Promise<void> {
  if (request.method !== "POST") {
    response.setHeader("content-type", "text/html; charset=utf-8");
    response.setHeader("content-security-policy", `form-action 'self' ${client}`);
    response.end(SIGN_IN_PAGE);
    return;
  }
  const form = new URLSearchParams(await text(request));
  const denied = { error: "access_denied", error_description: "The person pressed Cancel." };
  const result = form.get("decision") === "cancel" ? denied : { login: { accountId: form.get("account") ?? "" } };
  await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
}

const SIGN_IN_PAGE = `<!doctype html><html lang="en"><title>Example ID</title><h1>Example ID</h1>
<form method="post"><label>Account <input name="account"></label>
<button name="decision" value="continue">Continue</button>
<button name="decision" value="cancel">Cancel</button></form></html>`;

async function stop(server: Server): Promise<void> {
  server.close();
  server.closeAllConnections();
  await once(server, "close");
}
