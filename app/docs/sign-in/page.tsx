import { Code, List, ListItem, Text, Title } from "@mantine/core";

import { ClientExample } from "@/components/settings/api/example/client-example";
import { TextLink } from "@/components/ui/text/links";
import { env } from "@/lib/env";
import { SCOPE_SUMMARIES } from "@/lib/http/openapi/descriptions";

export const metadata = { title: "Get an access token · API reference" };

const EXAMPLE = {
  service: env.APP_URL,
  clientId: "PUT-THE-CLIENT-ID-HERE",
  clientSecret: null,
  redirectUri: "http://localhost:8080/callback",
  scopes: ["crm:read" as const],
};

export default function SignInPage() {
  return (
    <>
      <Title order={1}>Get an access token</Title>
      <Text>
        Programs act in the name of a person who has allowed them to, by the authorization code grant of OAuth 2.1 with
        PKCE. Any OAuth library can do this, given the address <Code>{env.APP_URL}</Code>, which has the metadata of RFC
        8414.
      </Text>
      <List type="ordered" spacing="sm" pr="md">
        <ListItem>
          An admin creates the API client in the <TextLink href="/settings/api">settings, under API clients</TextLink>,
          with its redirect URIs and scopes, and gets its client ID and client secret.
        </ListItem>
        <ListItem>
          The program makes a random <Code>code_verifier</Code> and sends the browser to{" "}
          <Code>{env.APP_URL}/oauth/authorize</Code> with <Code>response_type=code</Code>, <Code>client_id</Code>,{" "}
          <Code>redirect_uri</Code>, <Code>scope</Code>, <Code>state</Code>, <Code>code_challenge</Code> (the SHA-256 of
          the verifier, base64url) and <Code>code_challenge_method=S256</Code>.
        </ListItem>
        <ListItem>
          The person signs in and allows the client; the browser comes back to the redirect URI with a code, which lives
          for a minute.
        </ListItem>
        <ListItem>
          The program compares <Code>state</Code>, and sends the code with the verifier and its client secret to{" "}
          <Code>{env.APP_URL}/oauth/token</Code>.
        </ListItem>
        <ListItem>
          The answer contains an access token, valid for an hour. Send it with every request:{" "}
          <Code>Authorization: Bearer …</Code>. After that hour, begin again at step 2; the person is asked again.
        </ListItem>
      </List>
      <Title order={2}>Scopes</Title>
      <ul>
        {Object.entries(SCOPE_SUMMARIES).map(([scope, meaning]) => (
          <li key={scope}>
            <Code>{scope}</Code>: {meaning}
          </li>
        ))}
      </ul>
      <Title order={2}>An example that runs</Title>
      <ClientExample example={EXAMPLE} />
    </>
  );
}
