import { createHmac } from "node:crypto";

import { describe, expect, test } from "vitest";

import { refineInngestSettings, type InngestSettings, isLoopback, hasInngestServer } from "@/lib/env-rules";
import { isSignedBy, readSignature } from "@/lib/security/inngest-signature";

test.each([
  [{ INNGEST_DEV: "1" }],
  [{ INNGEST_DEV: "http://localhost:8288" }],
  [{ INNGEST_BASE_URL: "https://inngest.example" }],
  [{ INNGEST_EVENT_KEY: "key" }],
  [{ INNGEST_DEV: "0", INNGEST_SIGNING_KEY: "key" }],
])("%o names an Inngest server", (settings) => expect(hasInngestServer(settings)).toBe(true));

test.each([[{}], [{ INNGEST_DEV: "0" }], [{ INNGEST_DEV: "false" }], [{ INNGEST_DEV: "", INNGEST_EVENT_KEY: "" }]])(
  "%o leaves jobs to the embedded engine",
  (settings) => expect(hasInngestServer(settings)).toBe(false),
);

describe("the settings", () => {
  const PUBLIC = { APP_URL: "https://crm.example.com", TRUST_PROXY: false };
  const LOCAL = { APP_URL: "http://localhost:3000", TRUST_PROXY: false };
  const KEYS = { INNGEST_EVENT_KEY: "event", INNGEST_SIGNING_KEY: "signkey-prod-00" };

  function faultsOf(given: InngestSettings & typeof PUBLIC): string[] {
    const faults: string[] = [];
    refineInngestSettings(given, {
      addIssue: (issue) => void faults.push(typeof issue === "string" ? issue : String(issue.path)),
    });
    return faults;
  }

  test.each([
    [{ ...PUBLIC }],
    [{ ...PUBLIC, ...KEYS }],
    [{ ...PUBLIC, ...KEYS, INNGEST_BASE_URL: "https://inngest.example.com" }],
    [{ ...PUBLIC, ...KEYS, INNGEST_DEV: "0" }],
    [{ ...LOCAL, INNGEST_DEV: "http://127.0.0.1:8288" }],
    [{ ...LOCAL, APP_URL: "http://[::1]:3000", INNGEST_DEV: "1" }],
  ])("%o can be used", (given) => expect(faultsOf(given)).toEqual([]));

  test.each([
    [
      "a server of which nobody can tell whether it asks",
      { ...PUBLIC, INNGEST_EVENT_KEY: "event" },
      "INNGEST_SIGNING_KEY",
    ],
    ["a server that takes no events", { ...PUBLIC, INNGEST_SIGNING_KEY: "signkey-prod-00" }, "INNGEST_EVENT_KEY"],
    ["an address that is none", { ...PUBLIC, ...KEYS, INNGEST_BASE_URL: "inngest.example.com" }, "INNGEST_BASE_URL"],
    [
      "development where others come to; anybody could run jobs there before",
      { ...PUBLIC, INNGEST_DEV: "1" },
      "INNGEST_DEV",
    ],
    ["development behind a proxy", { ...LOCAL, TRUST_PROXY: true, INNGEST_DEV: "1" }, "INNGEST_DEV"],
    [
      "development beside a signing key, which would not be used",
      { ...LOCAL, ...KEYS, INNGEST_DEV: "1" },
      "INNGEST_DEV",
    ],
  ])("refuse %s", (_, given, name) => expect(faultsOf(given)).toEqual([name]));
});

describe("a signature", () => {
  const NOW = Date.parse("2026-11-22T12:00:00Z");
  const BODY = Buffer.from('{"event":{}}');
  const KEY = "a1b2c3";
  const signed = (key = KEY, at = NOW / 1000) =>
    `t=${at}&s=${createHmac("sha256", key).update(BODY).update(String(at)).digest("hex")}`;
  const isGood = (header: string | null, keys: (string | undefined)[] = [`signkey-prod-${KEY}`]) => {
    const signature = readSignature(header, NOW);
    return signature !== null && isSignedBy(keys, signature, BODY);
  };

  test("is valid by the key without its prefix, and by the previous key", () => {
    expect([
      isGood(signed()),
      isGood(signed(), [KEY]),
      isGood(signed(), ["signkey-prod-ffff", `signkey-prod-${KEY}`]),
    ]).toEqual([true, true, true]);
  });

  test("is not valid by another key, nor by one that is not set", () => {
    expect([isGood(signed("ffff")), isGood(signed(""), [undefined, "", "signkey-prod-"])]).toEqual([false, false]);
  });

  test.each([
    null,
    "",
    "t=1",
    signed().toUpperCase(),
    `${signed()}&t=1`,
    signed().slice(0, -1),
    signed(KEY, NOW / 1000 - 301),
    signed(KEY, NOW / 1000 + 301),
  ])("is invalid: %s", (header) => expect(isGood(header)).toBe(false));
});

test("a request is this machine's by its network address", () => {
  expect(["localhost", "127.0.0.1", "127.8.8.8", "::1", "[::1]", "::ffff:127.0.0.1"].map(isLoopback)).toEqual(
    Array.from({ length: 6 }, () => true),
  );
  expect(["localhost.example", "10.0.0.1", "::", "unknown", "::ffff:10.0.0.1"].map(isLoopback)).toEqual(
    Array.from({ length: 5 }, () => false),
  );
});
