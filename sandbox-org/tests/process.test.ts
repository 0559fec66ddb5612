import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, test } from "vitest";

import { startSandboxOrg } from "@/sandbox-org/start";

const ROOT = join(import.meta.dirname, "../..");
const MAIN = ["--import", "tsx", "sandbox-org/main.ts"];

/** Runs the command until it exits. */
async function run(...flags: string[]): Promise<{ code: number; errors: string }> {
  const child = spawn(process.execPath, [...MAIN, ...flags], { cwd: ROOT });
  let errors = "";
  child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
  const [code] = (await once(child, "exit")) as [number];
  return { code, errors };
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test("rules from a file apply from the first request on", async () => {
  const rulesFile = join(await mkdtemp(join(tmpdir(), "rules-")), "rules.json");
  await writeFile(
    rulesFile,
    JSON.stringify({ rules: [{ preset: "API_DISABLED_FOR_ORG" }], access: { hiddenObjects: ["Case"] } }),
  );
  const org = await startSandboxOrg({ records: 50, rulesFile });
  const response = await fetch(`${org.instanceUrl}/services/data/v60.0/sobjects`, {
    headers: { Authorization: `Bearer ${org.accessToken}` },
  });
  await org.stop();
  expect(response.status).toBe(403);
});

test("with the same access token and port, an org can be started again as it was", async () => {
  const first = await startSandboxOrg({ records: 50, accessToken: "00DHs!fixed" });
  const port = Number(new URL(first.instanceUrl).port);
  await first.stop();
  const second = await startSandboxOrg({ records: 50, accessToken: "00DHs!fixed", port });
  const response = await fetch(`${first.instanceUrl}/services/data/v60.0/limits`, {
    headers: { Authorization: "OAuth 00DHs!fixed" },
  });
  expect([second.instanceUrl, response.status]).toEqual([first.instanceUrl, 200]);
  expect(await run("--port", String(port))).toEqual({
    code: 1,
    errors: "The port is already in use. Choose another with --port, or leave it out to take a free one.\n",
  });
  await second.stop();
});

test("an invalid flag is refused with a sentence", async () => {
  expect(await run("--records", "many")).toEqual({
    code: 1,
    errors: '--records must be a whole number of at least 1, not "many".\n',
  });
});

test("the org ends when the process that started it is killed", async () => {
  const script =
    'import("./sandbox-org/start.ts").then(({ startSandboxOrg }) => startSandboxOrg({ records: 50 }))' +
    ".then(({ pid }) => console.log(pid))";
  const parent = spawn(process.execPath, ["--import", "tsx", "-e", script], {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = (await once(parent.stdout, "data")) as [Buffer];
  const pid = Number(line.toString());
  expect(isAlive(pid)).toBe(true);
  parent.kill("SIGKILL");
  await expect.poll(() => isAlive(pid), { timeout: 20_000 }).toBe(false);
});
