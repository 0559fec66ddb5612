import { Webhook } from "standardwebhooks";
import { Webhook as SvixWebhook } from "svix";
import { describe, expect, test } from "vitest";

import { generateSecret, secretInput } from "@/lib/webhooks/endpoints/webhook-secret";
import { signatureHeader } from "@/lib/webhooks/sending/signing";

const id = "01a1fd16-96f5-73a0-b3d5-530222a195a5";
const body = JSON.stringify({ type: "account.created", data: { object: { name: "Zoë’s Käserei 🧀" } } });

function headersBy(...secrets: string[]): Record<string, string> {
  const timestamp = Math.floor(Date.now() / 1000);
  return {
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": signatureHeader(secrets, { id, timestamp, body }),
  };
}

/** The verifiers that receivers use, each as its documentation has it for this kind of secret. */
const VERIFIERS = {
  standardwebhooks: (secret: string) => new Webhook(secret),
  svix: (secret: string) => new SvixWebhook(secret),
  "standardwebhooks with a raw secret": (secret: string) => new Webhook(secret, { format: "raw" }),
};

describe.each([
  ["a generated secret", generateSecret(), ["standardwebhooks", "svix"]],
  [
    "a secret of 24 bytes after whsec_",
    `whsec_${Buffer.alloc(24, 7).toString("base64")}`,
    ["standardwebhooks", "svix"],
  ],
  ["a secret in plain text", "Correct horse: battery staple!", ["standardwebhooks with a raw secret"]],
  [
    "a secret in plain text that is base64 as well",
    "bXktd2ViaG9vay1zZWNyZXQ=",
    ["standardwebhooks", "svix", "standardwebhooks with a raw secret"],
  ],
] as const)("%s", (_kind, secret, verifiers) => {
  test("is one that the service takes", () => {
    expect(secretInput.safeParse(secret).success).toBe(true);
  });

  test.each(verifiers)("verifies by %s, and no other body, id or secret does", (name) => {
    const verifier = VERIFIERS[name](secret);
    const headers = headersBy(secret);
    expect(() => verifier.verify(body, headers)).not.toThrow();
    expect(() => verifier.verify(`${body} `, headers)).toThrow(/signature/i);
    expect(() => verifier.verify(body, { ...headers, "webhook-id": "other" })).toThrow(/signature/i);
    expect(() => verifier.verify(body, headersBy("another secret of ours"))).toThrow(/signature/i);
  });
});

test("a secret of letters and digits verifies by whoever takes it for base64, however long it is", () => {
  for (let length = 8; length <= 128; length += 1) {
    const secret = "MyCompanySecret1234567890".repeat(6).slice(0, length);
    for (const [name, verifierOf] of Object.entries(VERIFIERS)) {
      expect(() => verifierOf(secret).verify(body, headersBy(secret)), `${name}: ${length} characters`).not.toThrow();
    }
  }
});

test("while a secret is being rotated, whoever has the old or the new one verifies", () => {
  const [old, fresh] = [generateSecret(), generateSecret()];
  const headers = headersBy(fresh, old);
  expect(headers["webhook-signature"]).toMatch(/^v1,\S+ v1,\S+$/);
  for (const secret of [old, fresh]) expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
});

test("an attempt of more than five minutes ago verifies no more", () => {
  const secret = generateSecret();
  const timestamp = Math.floor(Date.now() / 1000) - 301;
  const headers = {
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": signatureHeader([secret], { id, timestamp, body }),
  };
  expect(() => new Webhook(secret).verify(body, headers)).toThrow(/too old/);
});

test("generated secrets are whsec_ and 32 bytes, never the same", () => {
  const secrets = Array.from({ length: 100 }, generateSecret);
  expect(new Set(secrets).size).toBe(100);
  for (const secret of secrets) expect(Buffer.from(secret.replace(/^whsec_/, ""), "base64")).toHaveLength(32);
});

test.each([
  ["short", "8 to 128"],
  ["x".repeat(129), "8 to 128"],
  ["geheimnisvoll-ü", "printable ASCII"],
  [" leading-space", "begins nor ends with a space"],
  ["two\nlines-of-it", "printable ASCII"],
  ["whsec_not!base64", "base64 of 24 to 64"],
  [`whsec_${Buffer.alloc(23).toString("base64")}`, "base64 of 24 to 64"],
  [`whsec_${Buffer.alloc(65).toString("base64")}`, "base64 of 24 to 64"],
  [`whsec_${Buffer.alloc(32).toString("base64").replace("=", "")}`, "with its padding"],
])("%j is refused as a secret, and it says why", (secret, why) => {
  const { error } = secretInput.safeParse(secret);
  expect(error?.issues[0]?.message).toContain(why);
});
