import * as fc from "fast-check";

import type { Fixtures } from "@/tests/service/fuzz/support/fixtures";

const DAY = 24 * 3600 * 1000;

/** Addresses on this machine where nothing listens: the service must not send anything elsewhere. */
const DEAD = [
  "http://127.0.0.1:9/",
  "http://localhost:9/hooks",
  "http://[::1]:9/",
  "HTTP://LOCALHOST:9/Hooks?a=%20",
  "http://0x7f.1:9",
  "http://2130706433:9/ü",
];

const NO_ADDRESSES = [
  [
    "x",
    "/hooks",
    "ftp://127.0.0.1:9/",
    "mailto:a@b.example",
    "http://user:password@127.0.0.1:9/",
    "http://127.0.0.1:99999/",
    "http://127.0.0.1:9/a b",
  ],
  [
    "http://0.0.0.0:9/",
    "http://169.254.169.254/",
    "http://[::]:9/",
    "http://[fe80::1]:9/",
    "http://224.0.0.1:9/",
    "http:\\\\127.0.0.1:9",
    "http://",
  ],
].flat();

/** Usually rare events: each webhook is sent its events, and there are soon fifty webhooks. */
const events = fc.oneof(
  {
    weight: 29,
    arbitrary: fc.array(fc.constantFrom("lead.converted", "case.escalated", "opportunity.deleted"), {
      minLength: 1,
      maxLength: 4,
    }),
  },
  { weight: 1, arbitrary: fc.constantFrom(["*"], ["account.*", "contact.created", "account.*"]) },
);
const NO_EVENTS = [
  ["webhook.test"],
  ["case"],
  ["case.*", "case.nothing"],
  [""],
  ["cases.*"],
  ["__proto__"],
  ["case.*,lead.*"],
  ["\0"],
];

const secret = fc.oneof(
  fc.uint8Array({ minLength: 24, maxLength: 64 }).map((bytes) => `whsec_${Buffer.from(bytes).toString("base64")}`),
  fc
    .string({
      unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
      minLength: 8,
      maxLength: 128,
    })
    .filter((text) => !text.startsWith("whsec_")),
);
const NO_SECRETS = [
  "seven77",
  " spaced out",
  "s".repeat(129),
  "schlüssel",
  "two\nlines",
  "whsec_",
  "whsec_c2hvcnQ=",
  `whsec_${"A".repeat(31)}`,
  `whsec_${"A".repeat(88)}`,
];

/** Within the thirty days for which events are stored. */
const since = fc.integer({ min: -29 * DAY, max: 0 }).map((apart) => new Date(Date.now() + apart).toISOString());

/** What the fields of webhooks mean, where the document describes it in words. */
export function webhookMeaning(name: string, { receiver }: Fixtures): fc.Arbitrary<unknown> | undefined {
  if (name === "url")
    return fc.oneof(fc.constantFrom(receiver.url, `${receiver.url}?token=of-theirs`), fc.constantFrom(...DEAD));
  if (name === "description")
    return fc.constantFrom("Order desk", " ", "", "ü 語 🔑", "x".repeat(500), "🔑".repeat(250), "</script>");
  return { events, secret, since }[name];
}

const TRAPS: Record<string, readonly unknown[]> = {
  url: NO_ADDRESSES,
  events: NO_EVENTS,
  secret: NO_SECRETS,
  since: ["2026-01-01T00:00:00Z", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z"],
  description: ["two\nlines", "\u200b", "a\u202eb"],
};

/** Values of webhooks' fields that the schema allows but that are refused. */
export function webhookTrap(name: string): readonly unknown[] {
  return TRAPS[name] ?? [];
}
