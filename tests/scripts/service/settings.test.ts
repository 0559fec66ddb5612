import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, expect, onTestFinished, test, vi } from "vitest";

import { readAppSecrets, readSettings } from "@/scripts/service/settings";

const original = process.env.DATABASE_URL;

afterEach(() => {
  process.env.DATABASE_URL = original;
  vi.unstubAllEnvs();
});

test("a DATABASE_URL that is not a PostgreSQL address is refused with the right format, and never printed", () => {
  const wrong = [
    "s3cret-word",
    "mysql://user:s3cret-word@host/crm",
    "postgresql://user:s3cret-word/x@host:port/crm",
    "postgresql://u:s3cret-word%@host/crm",
    "postgresql://u@/s3cret-word@host/crm",
  ];
  for (const url of wrong) {
    process.env.DATABASE_URL = url;
    expect(readSettings).toThrow(/^DATABASE_URL is not .* postgresql:\/\/user:password@host:5432\/database/);
    expect(readSettings).not.toThrow(/s3cret-word/);
  }
});

test("a DATABASE_URL of either scheme is used unchanged, and without one the server is embedded", () => {
  for (const url of ["postgres://user:p%40ss@host/crm", "postgresql://crm@localhost/crm?host=/run/postgresql"]) {
    process.env.DATABASE_URL = url;
    expect(readSettings().databaseUrl).toBe(url);
  }
  process.env.DATABASE_URL = "";
  expect(readSettings().databaseUrl).toBeUndefined();
});

test.each(["3e3", "0xBB8", "0", "65536", "-1", " 3000"])("PORT=%j is refused with the ports there are", (port) => {
  vi.stubEnv("PORT", port);
  expect(readSettings).toThrow(`PORT is "${port}", which is not a port. Set it to a number from 1 to 65535`);
});

test("PORT is the number of its digits, and 3000 without one", () => {
  const ports = ["8080", ""].map((port) => {
    vi.stubEnv("PORT", port);
    return readSettings().port;
  });
  expect(ports).toEqual([8080, 3000]);
});

const LONG = "x".repeat(32);

test.each([
  ["APP_SECRET", { APP_SECRET: "changeme" }, /^APP_SECRET must have at least 32 characters\. .*openssl rand/],
  ["APP_SECRET", { APP_SECRET: `${LONG},${LONG}` }, /^APP_SECRET must have no comma/],
  [
    "APP_SECRET_PREVIOUS",
    { APP_SECRET: LONG, APP_SECRET_PREVIOUS: `${LONG},changeme` },
    /^A secret of APP_SECRET_PREVIOUS must have at least 32 characters\. .*leave it out/,
  ],
])("%s is refused by the same rule as in web and worker, and never printed", async (_name, given, told) => {
  vi.stubEnv("APP_SECRET_PREVIOUS", "");
  for (const [name, value] of Object.entries(given)) vi.stubEnv(name, value);
  await expect(readAppSecrets("/nowhere")).rejects.toThrow(told);
  await expect(readAppSecrets("/nowhere")).rejects.not.toThrow(/changeme|xxx/);
});

test("a file of secrets that has lost a part is refused, and left as it is", async () => {
  const folder = await mkdtemp(join(tmpdir(), "crm-settings-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  vi.stubEnv("APP_SECRET", "");
  const file = join(folder, "app-secret");
  for (const kept of ["", `${LONG}\nxxx\n`]) {
    await writeFile(file, kept);
    await expect(readAppSecrets(folder)).rejects.toThrow(`A secret in ${file} must have at least 32 characters`);
    expect(await readFile(file, "utf8")).toBe(kept);
  }
});
