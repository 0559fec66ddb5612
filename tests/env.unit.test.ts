import { expect, test, vi } from "vitest";

import { readSettings } from "@/tests/support/read-settings";

test.each([
  ["javascript:alert", "must be an address such as"],
  ["ftp://crm.example.com", "must be an address such as"],
  ["https://crm.example.com/crm", "must be an origin, without a path"],
  ["https://user:password@crm.example.com", "must be an origin, without a path"],
])("APP_URL=%s is refused: %s", async (address, why) => {
  await expect(readSettings({ APP_URL: address })).rejects.toThrow(`APP_URL: ${why}`);
});

test.each(["https://crm.example.com", "https://crm.example.com/", "http://[::1]:3000"])(
  "APP_URL=%s",
  async (address) => {
    expect((await readSettings({ APP_URL: address })).APP_URL).toBe(new URL(address).origin);
  },
);

test.each(["too-short", " ".repeat(40), `${"x".repeat(40)}é`])("METRICS_TOKEN=%s is refused", async (token) => {
  await expect(readSettings({ METRICS_TOKEN: token })).rejects.toThrow(
    "METRICS_TOKEN: must have 32 characters or more",
  );
});

test.each([
  ["APP_SECRET", "changeme", "must have at least 32 characters"],
  ["APP_SECRET", `${"x".repeat(40)},`, "must have no comma"],
  ["APP_SECRET_PREVIOUS", `${"x".repeat(40)},changeme`, "must have at least 32 characters"],
])("%s=%s is refused", async (name, value, why) => {
  await expect(readSettings({ [name]: value })).rejects.toThrow(`${name}: ${why}`);
});

test("APP_SECRET_PREVIOUS has the secrets between commas", async () => {
  const [one, other] = ["x".repeat(32), "y".repeat(32)];
  expect((await readSettings({ APP_SECRET_PREVIOUS: `${one},${other},` })).APP_SECRET_PREVIOUS).toEqual([one, other]);
});

test("a blank after a comma does not void the secret behind it, nor one that APP_SECRET had", async () => {
  const [one, other] = ["x".repeat(32), "y".repeat(32)];
  const { APP_SECRET_PREVIOUS: previous } = await readSettings({ APP_SECRET_PREVIOUS: `${one}, ${other}, ` });
  expect(previous).toEqual([one, other, ` ${other}`]);
});

test.each([
  ["SALESFORCE_CLIENT_ID", "SALESFORCE_CLIENT_SECRET"],
  ["SALESFORCE_CLIENT_SECRET", "SALESFORCE_CLIENT_ID"],
])("%s is refused without %s", async (given, missing) => {
  await expect(readSettings({ [given]: "value", [missing]: "" })).rejects.toThrow(
    `${missing}: is not set. Sign-in at Salesforce needs all of SALESFORCE_CLIENT_ID, SALESFORCE_CLIENT_SECRET.`,
  );
});

test("DATABASE_URL is an address of PostgreSQL", async () => {
  // Without a host, pg would connect to this machine.
  for (const wrong of ["base", "postgresql://", "postgres:/base"])
    await expect(readSettings({ DATABASE_URL: wrong })).rejects.toThrow(
      "DATABASE_URL: is not the address of a PostgreSQL database",
    );
  const url = "postgres://crm@localhost/crm?host=/run/postgresql";
  expect((await readSettings({ DATABASE_URL: url })).DATABASE_URL).toBe(url);
});

test.each(["3e3", "0xBB8", "3000.5", "-1", " 3000", "x"])("PORT=%s is refused", async (port) => {
  await expect(readSettings({ PORT: port })).rejects.toThrow("PORT: must be a whole number");
});

test("PORT has at most 65535", async () => {
  await expect(readSettings({ PORT: "65536" })).rejects.toThrow("PORT: must be a whole number from 1 to 65535.");
  expect((await readSettings({ PORT: "65535" })).PORT).toBe(65_535);
});

test.each([
  ["LOG_LEVEL", "INFO", "must be fatal, error, warn, info, debug, trace or silent."],
  ["TRUST_PROXY", "yes", "must be true, false, 1 or 0."],
  ["STORAGE_QUOTA_MB", "-1", "must be a whole number from 0."],
  ["STOP_DELAY_SECONDS", "61", "must be a whole number from 0 to 60."],
  ["STOP_TIMEOUT_SECONDS", "0", "must be a whole number from 1 to 3600."],
  ["KEEP_ALIVE_SECONDS", "0", "must be a whole number from 1 to 3600."],
  ["MIGRATION_PREVIEW_OBJECTS", "lead,foo", "must be lead, opportunity or product, with commas between."],
  ["WEBHOOK_RETRY_SECONDS", "5,10000000", "must be at most 100 numbers of seconds"],
  ["INNGEST_DEV", "no", "must be 1, 0, true, false or an address."],
  ["INNGEST_DEV", "http://", "must be 1, 0, true, false or an address."],
  ["OTEL_EXPORTER_OTLP_ENDPOINT", "collector", "must be an address such as"],
  ["OTEL_TRACES_SAMPLER", "foo", "must be always_on, always_off, traceidratio,"],
  ["OTEL_TRACES_SAMPLER_ARG", "7", "must be a number from 0 to 1."],
  ["OTEL_TRACES_SAMPLER_ARG", "-0.1", "must be a number from 0 to 1."],
  ["OTEL_TRACES_SAMPLER_ARG", "half", "must be a number from 0 to 1."],
])("%s=%s is refused: it %s", async (name, value, why) => {
  await expect(readSettings({ [name]: value })).rejects.toThrow(`  ${name}: ${why}`);
});

test.each(["0", "0.25", ".5", "1", "1.0"])("OTEL_TRACES_SAMPLER_ARG=%s", async (share) => {
  const sampler = { OTEL_TRACES_SAMPLER: "parentbased_traceidratio", OTEL_TRACES_SAMPLER_ARG: share };
  expect(await readSettings(sampler)).toMatchObject(sampler);
});

test("METRICS_PORT needs no METRICS_TOKEN: a probe asks there, too", async () => {
  expect(await readSettings({ METRICS_PORT: "9464", METRICS_TOKEN: "" })).toMatchObject({ METRICS_PORT: 9464 });
});

test("an empty setting counts as unset", async () => {
  const names = ["DATA_DIR", "RATE_LIMIT_PER_MINUTE", "STORAGE_QUOTA_MB", "METRICS_PORT", "METRICS_TOKEN", "LOG_LEVEL"];
  for (const name of names) vi.stubEnv(name, undefined);
  const unset = await readSettings({});
  expect(unset).toMatchObject({ DATA_DIR: ".data", RATE_LIMIT_PER_MINUTE: 6000, STORAGE_QUOTA_MB: 20_480 });
  expect(await readSettings(Object.fromEntries(names.map((name) => [name, ""])))).toEqual(unset);
});
