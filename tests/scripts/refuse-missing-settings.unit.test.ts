import { afterEach, expect, test, vi } from "vitest";

import { env } from "@/lib/env";
import { log } from "@/lib/log";
import { refuseMissingSettings } from "@/scripts/service/refuse-missing-settings";

const complete = { DATABASE_URL: "postgresql://crm@localhost/crm", APP_SECRET: "s".repeat(32) };

const before = { ...env };

afterEach(() => {
  Object.assign(env, before);
  vi.restoreAllMocks();
});

test.each(["DATABASE_URL", "APP_SECRET"] as const)("a process without %s ends, and says so", (name) => {
  const fatal = vi.spyOn(log, "fatal").mockReturnValue(undefined);
  const exit = vi.spyOn(process, "exit").mockReturnValue(undefined as never);
  Object.assign(env, complete);
  refuseMissingSettings();
  expect(exit).not.toHaveBeenCalled();
  Object.assign(env, { [name]: undefined });
  refuseMissingSettings();
  expect(exit.mock.calls).toEqual([[1]]);
  expect(fatal).toHaveBeenCalledExactlyOnceWith(expect.stringContaining(`${name} is not set.`));
});
