import type { SecretFormat } from "@/components/settings/webhooks/example/secret-format";

const VERIFIERS: Record<Exclude<SecretFormat, "none">, string> = {
  whsec: 'webhook = Webhook(os.environ["WEBHOOK_SECRET"])',
  raw: `# As bytes: a text would be taken for base64.
webhook = Webhook(os.environ["WEBHOOK_SECRET"].encode())`,
  either: `secret = os.environ["WEBHOOK_SECRET"]
# A secret of your own, without whsec_, is the key itself, as bytes.
webhook = Webhook(secret if secret.startswith("whsec_") else secret.encode())`,
};

const RAW_BODY = "        # The body unchanged: parsed and serialized again, it would not verify.\n";

/**
 * A receiver for Python 3.9 and newer that verifies with `standardwebhooks`, which uses a secret in bytes as the key.
 */
export function pythonReceiver(format: SecretFormat): string {
  const isSigned = format !== "none";
  const head = isSigned
    ? `# Before: pip install standardwebhooks
# Save it as receiver.py, then run, with the secret in WEBHOOK_SECRET: python3 receiver.py
import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from standardwebhooks.webhooks import Webhook, WebhookVerificationError

${VERIFIERS[format]}`
    : `# Save it as receiver.py, then run: python3 receiver.py
import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
`;
  return `${head}
done = set()  # In production: in your database, so that it survives a restart.


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
${isSigned ? RAW_BODY : ""}        body = self.rfile.read(int(self.headers["content-length"]))
        try:
            event = ${isSigned ? "webhook.verify(body, dict(self.headers))" : "json.loads(body)"}
        except ${isSigned ? "(WebhookVerificationError, ValueError)" : "ValueError"}:
            return self.answer(400)
        id = self.headers["webhook-id"]
        if id not in done:
            print(event["type"], event["data"]["object"], flush=True)
            done.add(id)
        # Any 2xx within 15 seconds says that the event has arrived.
        self.answer(204)

    def answer(self, status):
        self.send_response(status)
        self.end_headers()


ThreadingHTTPServer(("", 8080), Receiver).serve_forever()
`;
}
