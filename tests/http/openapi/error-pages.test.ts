import { readdirSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { parseMarkdown } from "@/components/docs/markdown/parse-markdown";
import { env } from "@/lib/env";
import { type ErrorCode, FAULT_CODES } from "@/lib/errors";
import { ERROR_CODES, readErrorPage } from "@/lib/http/openapi/error-pages";
import { PROBLEMS, problemType } from "@/lib/http/problem";
import { salesforceApp } from "@/lib/migration/connections/salesforce-app";
import { errorOfAnswer } from "@/lib/salesforce/errors";

const pages = readdirSync(join(import.meta.dirname, "../../../docs/errors"));

test("every code has its page, and every page its code", () => {
  expect(pages.toSorted()).toEqual(ERROR_CODES.map((code) => `${code}.md`).toSorted());
});

test("a problem's type is the address of its page", () => {
  expect(problemType("not_found")).toBe("http://localhost:3000/docs/errors/not_found");
});

test.each(["nothing", "constructor", "../README", "__proto__"])("there is no page for %s", async (code) => {
  expect(await readErrorPage(code)).toBeNull();
});

test("the page of invalid requests explains every code of a fault, in the same words", async () => {
  const page = (await readErrorPage("invalid_request")) ?? "";
  for (const [code, meaning] of Object.entries(FAULT_CODES)) expect(page).toContain(`\n- \`${code}\`: ${meaning}\n`);
});

/** The problem that a page shows. */
async function exampleOf(code: ErrorCode): Promise<{ type: string; detail: string }> {
  const blocks = parseMarkdown((await readErrorPage(code)) ?? "");
  const example = blocks.find((block) => block.kind === "code" && block.language === "json");
  return JSON.parse(example?.kind === "code" ? example.text : "null") as { type: string; detail: string };
}

test.each<[ErrorCode, string]>([
  ["source_token_refused", "INVALID_SESSION_ID"],
  ["source_api_disabled", "API_DISABLED_FOR_ORG"],
  ["source_limit_exceeded", "REQUEST_LIMIT_EXCEEDED"],
  ["source_access_denied", "INSUFFICIENT_ACCESS"],
  ["source_error", "UNKNOWN_EXCEPTION"],
])("the example of %s is what the service says when Salesforce answers %s", async (code, errorCode) => {
  const answer = JSON.stringify([{ errorCode, message: "An unexpected error occurred." }]);
  expect(errorOfAnswer(400, answer)).toMatchObject({ code, message: (await exampleOf(code)).detail });
});

test("the example of source_sign_in_not_set_up is what the service says without an app", async () => {
  Object.assign(env, { SALESFORCE_CLIENT_ID: undefined, SALESFORCE_CLIENT_SECRET: undefined });
  const { type, detail } = await exampleOf("source_sign_in_not_set_up");
  const message = detail.replace(new URL(type).origin, env.APP_URL);
  expect(salesforceApp).toThrow(expect.objectContaining({ code: "source_sign_in_not_set_up", message }));
});

describe.each(ERROR_CODES as ErrorCode[])("%s", (code) => {
  const { status, title } = PROBLEMS[code];

  test("the page says what it means, shows an example, and says how to mend it", async () => {
    const blocks = parseMarkdown((await readErrorPage(code)) ?? "");
    expect(blocks[0]).toEqual({ kind: "heading", level: 1, text: title });
    expect(blocks[1]?.kind).toBe("paragraph");
    expect(blocks.filter(({ kind }) => kind === "heading").slice(1)).toEqual([
      { kind: "heading", level: 2, text: "Example" },
      { kind: "heading", level: 2, text: "How to mend it" },
    ]);
    expect(blocks.at(-1)?.kind).toBe("list");
  });

  test("its example is a problem as the service writes it", async () => {
    const problem = await exampleOf(code);
    expect(problem).toMatchObject({ code, status, title, detail: expect.stringMatching(/\S/) });
    expect(new URL(problem.type).pathname).toBe(`/docs/errors/${code}`);
  });
});
