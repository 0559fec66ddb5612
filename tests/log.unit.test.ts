import { DatabaseError } from "pg";
import type { DestinationStream } from "pino";
import { expect, test } from "vitest";

import { openDestination, openLog } from "@/lib/log";
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

test("a full disk below the log ends no process, and what was not written is kept within a bound", () => {
  const destination = openDestination("/dev/full") as DestinationStream & { _len: number };
  const full = openLog("info", destination);
  for (let line = 0; line < 20; line += 1) full.info({ text: "x".repeat(100_000) }, "written to a full disk");
  expect(destination._len).toBeGreaterThan(0);
  expect(destination._len).toBeLessThan(1_100_000);
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
