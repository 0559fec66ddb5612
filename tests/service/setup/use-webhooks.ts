import { randomBytes, randomUUID } from "node:crypto";

/** Nothing listens there, but deliveries are signed nevertheless. */
const ENDPOINT = { url: "http://127.0.0.1:9/hooks", events: ["*"] };

/**
 * Gives webhooks secrets in every way: sent and generated, on creation and on rotation, with an idempotency key (and
 * repeated) and without. Sends a test event to each. Returns the secrets by name.
 */
export async function useWebhooks(baseUrl: string, accessToken: string): Promise<Record<string, string>> {
  const post: Post = async (path, body, key) => {
    const headers = {
      authorization: `Bearer ${accessToken}`,
      "content-type": "application/json",
      ...(key && { "idempotency-key": key }),
    };
    const answer = await fetch(new URL(`/api/v1/webhooks${path}`, baseUrl), {
      method: "POST",
      headers,
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`POST /webhooks${path} answered ${answer.status}.`);
    return (await answer.json()) as Answer;
  };
  const once = named("without a key", await useSecrets(post, () => undefined));
  // The second answer is the stored one.
  const twice: Post = (path, body, key) => post(path, body, key).then(() => post(path, body, key));
  const repeated = named("with a key", await useSecrets(twice, randomUUID));
  const secrets = { ...once, ...repeated };
  const encoded = Object.entries(secrets).filter(([, secret]) => secret.startsWith("whsec_"));
  return {
    ...secrets,
    ...Object.fromEntries(encoded.map(([name, secret]) => [`${name}, its key`, secret.slice("whsec_".length)])),
  };
}

interface Answer {
  id: string;
  secret?: string;
}

type Post = (path: string, body: object, key?: string) => Promise<Answer>;

async function useSecrets(post: Post, newKey: () => string | undefined): Promise<Record<string, string>> {
  const text = `of-theirs-${randomBytes(12).toString("base64url")}`;
  const encoded = `whsec_${randomBytes(32).toString("base64")}`;
  const given = await post("", { ...ENDPOINT, secret: text }, newKey());
  const generated = await post("", { ...ENDPOINT, generate_secret: true }, newKey());
  const rotated = await post(`/${given.id}/rotate_secret`, {}, newKey());
  await post(`/${generated.id}/rotate_secret`, { secret: encoded }, newKey());
  for (const { id } of [given, generated]) await post(`/${id}/test`, {});
  return {
    given: text,
    generated: String(generated.secret),
    rotated: String(rotated.secret),
    "given at rotation": encoded,
  };
}

function named(way: string, secrets: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(secrets).map(([name, secret]) => [`webhook secret ${name} ${way}`, secret]));
}
