import { afterEach, expect, test, vi } from "vitest";

const SERVER = {
  APP_URL: "https://crm.example.com",
  INNGEST_BASE_URL: "http://inngest.internal:8288",
  INNGEST_EVENT_KEY: "event-key",
  INNGEST_SIGNING_KEY: "signkey-test-00",
};

afterEach(() => {
  vi.unstubAllEnvs();
  vi.resetModules();
});

/** The address at which the functions are registered with these settings. */
async function registered(settings: Record<string, string>): Promise<string> {
  vi.resetModules();
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
  return (await import("@/inngest/serving")).JOB_ADDRESS;
}

test("functions are registered at APP_URL, or where the Inngest server reaches the web processes", async () => {
  expect(await registered(SERVER)).toBe("https://crm.example.com/api/inngest");
  const origin = { INNGEST_SERVE_ORIGIN: "http://crm-web.internal:3000/" };
  expect(await registered({ ...SERVER, ...origin })).toBe("http://crm-web.internal:3000/api/inngest");
});

test.each([
  ["crm-web.internal:3000", SERVER],
  ["ftp://crm-web.internal", SERVER],
  ["http://crm-web.internal/api/inngest", SERVER],
  ["http://crm-web.internal", { APP_URL: "http://localhost:3000" }],
  ["http://crm-web.internal", { APP_URL: "http://localhost:3000", INNGEST_DEV: "1" }],
])("%s is refused as the origin with %o", async (origin, settings) => {
  await expect(registered({ ...settings, INNGEST_SERVE_ORIGIN: origin })).rejects.toThrow("INNGEST_SERVE_ORIGIN: ");
});
