import { type ExampleClient, exampleList, SECRET_PLACEHOLDER } from "@/components/settings/api/example/example-client";

/**
 * The authorization code grant for Node 18 and newer, without packages. Endpoints come from the service's metadata (RFC
 * 8414).
 */
export function nodeExample({ service, clientId, clientSecret, redirectUri, scopes }: ExampleClient): string {
  const list = exampleList(scopes);
  return `// Save it as crm-example.mjs, then run: node crm-example.mjs
import { createHash, randomBytes } from "node:crypto";
import { createInterface } from "node:readline/promises";

const service = ${JSON.stringify(service)};
const client = {
  client_id: ${JSON.stringify(clientId)},
  client_secret: ${JSON.stringify(clientSecret ?? SECRET_PLACEHOLDER)},
};
const redirect_uri = ${JSON.stringify(redirectUri)};

const metadata = await fetch(\`\${service}/.well-known/oauth-authorization-server\`);
const { authorization_endpoint, token_endpoint } = await metadata.json();
const code_verifier = randomBytes(32).toString("base64url");
const state = randomBytes(16).toString("base64url");

const request = new URL(authorization_endpoint);
request.search = new URLSearchParams({
  response_type: "code",
  client_id: client.client_id,
  redirect_uri,
  scope: ${JSON.stringify(scopes.join(" "))},
  code_challenge: createHash("sha256").update(code_verifier).digest("base64url"),
  code_challenge_method: "S256",
  state,
}).toString();
console.log(\`Open this address in your browser, and allow the client:\\n\${request}\`);

const terminal = createInterface({ input: process.stdin, output: process.stdout });
const pasted = await terminal.question("Then paste the address at which the browser arrives, within a minute: ");
terminal.close();
const callback = new URL(pasted.trim()).searchParams;
if (callback.get("state") !== state)
  throw new Error("That address does not answer this request: it has another state.");
const code = callback.get("code");
if (!code) throw new Error("There is no code in that address: the client was not allowed.");

const answer = await fetch(token_endpoint, {
  method: "POST",
  body: new URLSearchParams({ grant_type: "authorization_code", code, redirect_uri, code_verifier, ...client }),
});
const { access_token, error_description } = await answer.json();
if (!access_token) throw new Error(\`There is no access token: \${error_description}\`);

const headers = { authorization: \`Bearer \${access_token}\` };
const list = await fetch(\`\${service}/api/v1/${list}?limit=3\`, { headers });
console.log(await list.json());
`;
}
