import { readdirSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { parseMarkdown } from "@/components/docs/markdown/parse-markdown";
import { type ErrorCode, FAULT_CODES } from "@/lib/errors";
import { ERROR_CODES, readErrorPage } from "@/lib/http/openapi/error-pages";
import { PROBLEMS, problemType } from "@/lib/http/problem";

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
    const blocks = parseMarkdown((await readErrorPage(code)) ?? "");
    const example = blocks.find((block) => block.kind === "code" && block.language === "json");
    const problem = JSON.parse(example?.kind === "code" ? example.text : "null") as { type: string };
    expect(problem).toMatchObject({ code, status, title, detail: expect.stringMatching(/\S/) });
    expect(new URL(problem.type).pathname).toBe(`/docs/errors/${code}`);
  });
});
