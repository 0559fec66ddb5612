import { expect, test } from "vitest";

import { env } from "@/lib/env";
import { isLocalVisit } from "@/lib/http/local-visit";

type Settings = Partial<Pick<typeof env, "APP_URL" | "TRUST_PROXY">>;

function visitFrom(address: string | null, settings: Settings = {}): boolean {
  const before = { ...env };
  Object.assign(env, { APP_URL: "http://localhost:3000", TRUST_PROXY: false }, settings);
  try {
    return isLocalVisit(new Headers(address === null ? {} : { "x-forwarded-for": address }));
  } finally {
    Object.assign(env, before);
  }
}

test.each(["127.0.0.1", "127.8.9.1", "::1", "::ffff:127.0.0.1"])("a browser at %s is on the service's own machine", (address) => {
  expect(visitFrom(address)).toBe(true);
  expect(visitFrom(address, { APP_URL: "http://[::1]:3000" })).toBe(true);
});

test.each(["192.168.1.20", "203.0.113.9", "fd00::1", "::ffff:10.0.0.1", "unknown", "localhost.evil.example", "", null])(
  "one at %j is not",
  (address) => {
    expect(visitFrom(address)).toBe(false);
  },
);

test("behind a proxy, or at a public address, nobody is", () => {
  expect(visitFrom("127.0.0.1", { TRUST_PROXY: true })).toBe(false);
  expect(visitFrom("127.0.0.1", { APP_URL: "https://crm.example.com" })).toBe(false);
});
