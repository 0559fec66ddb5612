import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";

import { expect, test } from "vitest";

import { REFUSAL_EXIT_CODE } from "@/scripts/service/fault";
import { ROOT } from "@/scripts/service/root";

const COMPLETE = { DATABASE_URL: "postgresql://crm@localhost/crm", APP_SECRET: "s".repeat(43) };

/** How a process ends that is started with these settings alone, and what it says. */
async function start(
  program: string,
  settings: Record<string, string>,
  args: string[] = [],
): Promise<[number, string]> {
  const started = spawn(process.execPath, [...args, `dist/${program}.js`], {
    cwd: ROOT,
    env: { NODE_ENV: "test", ...settings },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const [said, [code]] = await Promise.all([text(started.stderr), once(started, "exit")]);
  return [code as number, said];
}

test.each([
  ["a setting that is missing", { DATABASE_URL: "" }, "DATABASE_URL is not set."],
  ["a secret that is missing", { APP_SECRET: "" }, "APP_SECRET is not set."],
  ["a setting that is not valid", { PORT: "three" }, "PORT: must be a whole number"],
  [
    "a file in place of a folder",
    { DATA_DIR: "package.json" },
    "DATA_DIR must be a folder, but package.json is a file.",
  ],
])("web and worker are not started with %s: they say so, without a stack", async (_, wrong, message) => {
  for (const program of ["web", "worker"] as const) {
    const [code, said] = await start(program, { ...COMPLETE, ...wrong });
    expect([program, code, said]).toEqual([program, REFUSAL_EXIT_CODE, expect.stringContaining(message)]);
    expect(said).not.toMatch(/^ +at /m);
  }
});

const AS_OLD_NODE = `data:text/javascript,Object.defineProperty(process,"versions",{value:{node:"20.20.2"}})`;

test.each(["web", "worker", "prepare-database", "rotate-secret", "create-organization"])(
  "%s does not start on a Node that is too old, and says which one it needs",
  async (program) => {
    const [code, said] = await start(program, COMPLETE, ["--import", AS_OLD_NODE]);
    expect([code, said]).toEqual([REFUSAL_EXIT_CODE, "This is Node 20.20.2, and Node 24 or newer is needed.\n"]);
  },
);
