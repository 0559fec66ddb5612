import { afterEach, expect, test } from "vitest";

import { readSettings } from "@/scripts/service/settings";

const original = process.env.DATABASE_URL;

afterEach(() => {
  process.env.DATABASE_URL = original;
});

test("a DATABASE_URL that is not a PostgreSQL address is refused with the right format, and never printed", () => {
  const wrong = [
    "s3cret-word",
    "mysql://user:s3cret-word@host/crm",
    "postgresql://user:s3cret-word/x@host:port/crm",
    "postgresql://u:s3cret-word%@host/crm",
  ];
  for (const url of wrong) {
    process.env.DATABASE_URL = url;
    expect(readSettings).toThrow(/^DATABASE_URL is not .* postgresql:\/\/user:password@host:5432\/database/);
    expect(readSettings).not.toThrow(/s3cret-word/);
  }
});

test("a DATABASE_URL of either scheme is used unchanged, and without one the server is embedded", () => {
  for (const url of ["postgres://user:p%40ss@host/crm", "postgresql:///crm?host=/var/run/postgresql"]) {
    process.env.DATABASE_URL = url;
    expect(readSettings().databaseUrl).toBe(url);
  }
  process.env.DATABASE_URL = "";
  expect(readSettings().databaseUrl).toBeUndefined();
});
