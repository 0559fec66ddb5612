import type { SecretFormat } from "@/components/settings/webhooks/example/secret-format";

const VERIFIERS: Record<Exclude<SecretFormat, "none">, string> = {
  whsec: "const webhook = new Webhook(env.WEBHOOK_SECRET);",
  raw: 'const webhook = new Webhook(env.WEBHOOK_SECRET, { format: "raw" });',
  either: `const secret = env.WEBHOOK_SECRET;
// A secret of your own, without whsec_, is the key itself.
const webhook = new Webhook(secret, secret.startsWith("whsec_") ? {} : { format: "raw" });`,
};

const RAW_BODY = "  // The body unchanged: parsed and serialized again, it would not verify.\n";

/**
 * A receiver for Node 18 and newer that verifies with `standardwebhooks` 1.1. Its `format: "raw"` uses the bytes of the
 * secret as the key.
 */
export function nodeReceiver(format: SecretFormat): string {
  const isSigned = format !== "none";
  const head = isSigned
    ? `// Before: npm install standardwebhooks
// Save it as receiver.mjs, then run, with the secret in WEBHOOK_SECRET: node receiver.mjs
import { createServer } from "node:http";
import { env } from "node:process";
import { Webhook } from "standardwebhooks";

${VERIFIERS[format]}`
    : `// Save it as receiver.mjs, then run: node receiver.mjs
import { createServer } from "node:http";
`;
  return `${head}
const done = new Set(); // In production: in your database, so that it survives a restart.

createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
${isSigned ? RAW_BODY : ""}  const body = Buffer.concat(chunks).toString();
  let event;
  try {
    event = ${isSigned ? "webhook.verify(body, request.headers)" : "JSON.parse(body)"};
  } catch {
    return response.writeHead(400).end();
  }
  const id = request.headers["webhook-id"];
  if (!done.has(id)) {
    console.log(event.type, event.data.object);
    done.add(id);
  }
  // Any 2xx within 15 seconds says that the event has arrived.
  response.writeHead(204).end();
}).listen(8080);
`;
}
