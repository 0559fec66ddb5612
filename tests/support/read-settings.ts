import { onTestFinished, vi } from "vitest";

/** The settings as a process with these variables reads them. The variables are set until the test ends. */
export async function readSettings(variables: Record<string, string>) {
  onTestFinished(() => {
    vi.unstubAllEnvs();
    vi.resetModules();
  });
  vi.resetModules();
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  return (await import("@/lib/env")).env;
}
