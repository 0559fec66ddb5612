import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

import { afterEach, expect, test } from "vitest";

let launched: ChildProcess | undefined;

afterEach(() => launched?.kill("SIGKILL"));

/** Starts the fixture through the bootstrap and returns the lines that it prints. It exits after `signals` signals. */
function launch(
  signals: number,
  shell: (command: string) => string,
  env: Record<string, string> = {},
): AsyncIterableIterator<string> {
  const command = `"${process.execPath}" scripts/bootstrap.mjs tests/scripts/fixtures/until-signal.ts ${signals}`;
  launched = spawn("sh", ["-c", shell(command)], {
    env: { ...process.env, npm_lifecycle_event: "", ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (!launched.stdout) throw new Error("no standard output");
  return createInterface({ input: launched.stdout })[Symbol.asyncIterator]();
}

test("every signal reaches the command, and the bootstrap exits with its exit code", async () => {
  const lines = launch(3, (command) => `exec ${command}`);
  expect((await lines.next()).value).toBe("ready");
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    launched?.kill(signal);
    expect((await lines.next()).value).toBe(signal);
  }
  expect(await once(launched as ChildProcess, "exit")).toEqual([7, null]);
});

test("a command started by npm ends when a signal has ended npm's shell, which forwards none", async () => {
  const lines = launch(1, (command) => `${command}; true`, { npm_lifecycle_event: "start" });
  expect((await lines.next()).value).toBe("ready");
  launched?.kill("SIGTERM");
  expect((await lines.next()).value).toBe("SIGTERM");
  expect((await lines.next()).done).toBe(true);
});
