import { execFile } from "node:child_process";
import { promisify } from "node:util";

import { expect, test } from "vitest";

const SCRIPT = `
  const { logConsole } = await import("./scripts/service/web/log-console.ts");
  logConsole();
  console.log("\\u001b[32m✓\\u001b[39m Running %s took 1 ms\\n", "a library");
  console.warn({ password: "hunter2" });
  const refused = Object.assign(new Error("duplicate key"), { code: "23505", detail: "Key (email)=(ada@example.com)" });
  console.error("⨯", refused, { digest: "1" });
  console.error(refused);
  console.error("⨯", Object.assign(new Error("a page's"), { digest: "2" }));`;

test("what a library prints is a JSON line, without the rows and keys of PostgreSQL's errors", async () => {
  const args = ["--import", "tsx", "--input-type=module", "-e", SCRIPT];
  const options = { env: { ...process.env, LOG_LEVEL: "info" } };
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, options);
  const lines = stdout.trim().split("\n");
  const err = { message: "duplicate key", code: "23505" };
  expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { level: 30, msg: "✓ Running a library took 1 ms" },
    { level: 40, msg: "printed by a library" },
    { level: 50, msg: "⨯", err },
    { level: 50, msg: "printed by a library", err },
  ]);
  expect(stdout).not.toMatch(/hunter2|ada@/);
  expect(stderr).toBe("");
});
