import { DatabaseError } from "pg";
import { expect, test } from "vitest";

import { openLog } from "@/lib/log";

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
