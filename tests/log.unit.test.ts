import { execFile, execFileSync } from "node:child_process";
import { closeSync, constants, openSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

import { DatabaseError } from "pg";
import { expect, test } from "vitest";

import { LogFile, openLog } from "@/lib/log";
import { inWork } from "@/lib/observability/instruments";

function logged(fields: object): string {
  const lines: string[] = [];
  openLog("info", { write: (line) => lines.push(line) }).error(fields, "failed");
  return lines.join("");
}

function databaseError(): DatabaseError {
  const error = new DatabaseError("duplicate key value violates unique constraint", 1, "error");
  const sent = {
    code: "23505",
    detail: "Key (email)=(ada@example.com) already exists.",
    where: "COPY accounts, line 1: Ada",
    hint: "Ada",
  };
  return Object.assign(error, sent);
}

test("an error is logged without the rows and keys that the database reports", () => {
  const line = logged({ err: databaseError() });
  expect(JSON.parse(line).err).toEqual({
    type: "error",
    message: "duplicate key value violates unique constraint",
    code: "23505",
    stack: expect.stringContaining("log.unit.test.ts"),
  });
  expect(line).not.toMatch(/ada/i);
});

test("causes and errors under another name have none of these either", () => {
  const wrapped = new Error("The page was not stored.", {
    cause: { ...databaseError(), message: "duplicate", cause: databaseError() },
  });
  for (const line of [logged({ err: wrapped }), logged({ error: wrapped }), logged(wrapped)]) {
    expect(line).toContain("23505");
    expect(line).not.toMatch(/ada/i);
  }
});

test("a full disk below the log ends and stalls no process, which logs again once there is room", async () => {
  const folder = await mkdtemp(join(tmpdir(), "crm-log-"));
  const full = openSync("/dev/full", "w");
  const log = openLog("info", new LogFile(full));
  for (let line = 0; line < 20; line += 1) log.info({ text: "x".repeat(100_000) }, "written to a full disk");
  log.fatal("the last line of a process");
  closeSync(full);
  // The system gives a file that is opened the number of the one that was closed.
  expect(openSync(join(folder, "log"), "w")).toBe(full);
  log.info("there is room");
  closeSync(full);
  expect(JSON.parse(readFileSync(join(folder, "log"), "utf8"))).toMatchObject({ msg: "there is room" });
  await rm(folder, { recursive: true });
});

test("a line that a slow reader takes in pieces is written whole", async () => {
  const folder = await mkdtemp(join(tmpdir(), "crm-log-"));
  const pipe = join(folder, "pipe");
  execFileSync("sh", ["-c", `mkfifo "${pipe}"`]);
  const read = join(folder, "read");
  // The shell stores what it reads, because this process can take nothing while it writes.
  const reader = promisify(execFile)("sh", ["-c", `cat "${pipe}" > "${read}"`]);
  // Opened for reading as well, so that opening does not wait for the reader; a write that has no room fails.
  const file = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK);
  const line = `${"y".repeat(2_000_000)}\n`;
  new LogFile(file).write(line);
  closeSync(file);
  await reader;
  expect(readFileSync(read, "utf8") === line).toBe(true);
  await rm(folder, { recursive: true });
});

test("an error that is its own cause is logged", () => {
  const error = new Error("turns in circles");
  error.cause = error;
  expect(logged({ err: error })).toContain("turns in circles");
});

test("a code is censored everywhere but in an error", () => {
  expect(logged({ code: "opens", request: { code: "opens" } })).not.toContain("opens");
});

test("access tokens are censored, ours and a Salesforce org's", () => {
  expect(logged({ access_token: "opens", body: { ext_access_token: "opens" } })).not.toContain("opens");
});

test("a line names the request or job that it belongs to, and a line of neither names none", () => {
  const traceparent = `00-${"a".repeat(32)}-${"b".repeat(16)}-01`;
  const [ofRequest, ofJob] = [
    inWork({ request_id: "0199", traceparent }, () => logged({ count: 1 })),
    inWork({ run_id: "0200" }, () => logged({ run_id: "0201" })),
  ];
  expect(JSON.parse(ofRequest)).toMatchObject({ request_id: "0199", trace_id: "a".repeat(32), count: 1 });
  expect(JSON.parse(ofJob).run_id).toBe("0201");
  expect(logged({})).not.toContain("_id");
});
