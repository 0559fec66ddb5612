import { type ExampleClient, exampleList, SECRET_PLACEHOLDER } from "@/components/settings/api/example/example-client";

/**
 * The authorization code grant by bash, curl and openssl, for pasting into a terminal. It is one subshell in
 * parentheses, which a shell reads to the end before running it: so `read` waits for the person and not for the next
 * pasted line, and `exit` leaves the terminal open. It has no comments, since zsh accepts none at its prompt.
 */
export function curlExample({ service, clientId, clientSecret, redirectUri, scopes }: ExampleClient): string {
  const list = exampleList(scopes);
  const scope = encodeURIComponent(scopes.join(" "));
  return `(
SERVICE=${quote(service)}
CLIENT_ID=${quote(clientId)}
CLIENT_SECRET=${quote(clientSecret ?? SECRET_PLACEHOLDER)}
REDIRECT_URI=${quote(redirectUri)}

VERIFIER=$(openssl rand -base64 48 | tr -d '\\n' | tr '+/' '-_')
CHALLENGE=$(printf '%s' "$VERIFIER" | openssl dgst -sha256 -binary | openssl base64 -A | tr '+/' '-_' | tr -d '=')
STATE=$(openssl rand -hex 16)
RETURN_TO=$(printf '%s' "$REDIRECT_URI" | sed 's/%/%25/g; s/&/%26/g; s/+/%2B/g; s/#/%23/g')

echo 'Open this address in your browser, and allow the client:'
REQUEST="response_type=code&client_id=$CLIENT_ID&redirect_uri=$RETURN_TO&scope=${scope}&state=$STATE"
echo "$SERVICE/oauth/authorize?$REQUEST&code_challenge=$CHALLENGE&code_challenge_method=S256"
printf 'Then paste the address at which the browser arrives, within a minute: '
read -r CALLBACK
echo "$CALLBACK" | grep -q "[?&]state=$STATE" || {
  echo 'That address does not answer this request: it has another state.'; exit 1; }
CODE=$(printf '%s' "$CALLBACK" | sed -n 's/.*[?&]code=\\([^&#]*\\).*/\\1/p')
[ -n "$CODE" ] || { echo 'There is no code in that address: the client was not allowed.'; exit 1; }

ANSWER=$(curl -sS "$SERVICE/oauth/token" \\
  -d grant_type=authorization_code \\
  --data-urlencode "code=$CODE" \\
  --data-urlencode "redirect_uri=$REDIRECT_URI" \\
  --data-urlencode "client_id=$CLIENT_ID" \\
  --data-urlencode "client_secret=$CLIENT_SECRET" \\
  --data-urlencode "code_verifier=$VERIFIER")
TOKEN=$(printf '%s' "$ANSWER" | sed -n 's/.*"access_token":"\\([^"]*\\)".*/\\1/p')
[ -n "$TOKEN" ] || { echo "There is no access token: $ANSWER"; exit 1; }

echo 'The first ${list}:'
curl -sS "$SERVICE/api/v1/${list}?limit=3" -H "Authorization: Bearer $TOKEN"
echo
)`;
}

/** Quotes a text for the shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
