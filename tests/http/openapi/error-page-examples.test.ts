import { expect, test } from "vitest";

import { parseMarkdown } from "@/components/docs/markdown/parse-markdown";
import type { ErrorCode } from "@/lib/errors";
import { readErrorPage } from "@/lib/http/openapi/error-pages";
import { IDS } from "@/lib/http/openapi/examples/records";
import { callRoute } from "@/tests/http/support/call-route";
import { createAccessToken, createContext, createOrganization, insertRecord } from "@/tests/support/factories";

/** The account that the example requires, the role of who asks and, if it needs a token, the scope of its client. */
interface Scene {
  account?: Record<string, unknown>;
  role?: "admin" | "member";
  scope?: "crm:read" | "crm:write" | null;
}

const SCENES: [ErrorCode, Scene][] = [
  ["conflict", { account: { ext_id: "0015g00001KdR2fAAF" } }],
  ["forbidden", { role: "member" }],
  ["insufficient_scope", { scope: "crm:read" }],
  ["invalid_body", {}],
  ["invalid_cursor", {}],
  ["invalid_parameter", {}],
  ["invalid_request", {}],
  ["not_found", {}],
  ["precondition_failed", { account: { id: IDS.account, version: 4 } }],
  ["unauthenticated", { scope: null }],
  ["unknown_parameter", {}],
  ["unsupported_media_type", {}],
];

/** The request and the problem that a page shows. */
async function exampleOf(code: ErrorCode) {
  const blocks = parseMarkdown((await readErrorPage(code)) ?? "");
  const [http = "", json = ""] = ["http", "json"].map(
    (language) => blocks.flatMap((block) => (isCode(block, language) ? [block.text] : []))[0],
  );
  const [head = "", body = ""] = http.split("\n\n");
  const [line = "", ...fields] = head.split("\n");
  const [method = "", path = ""] = line.split(" ");
  const headers = Object.fromEntries(
    fields.map((field) => field.split(": ")).filter(([name]) => name !== "authorization"),
  );
  return {
    method,
    path: path.replace("/api/v1", ""),
    headers,
    body,
    problem: JSON.parse(json) as Record<string, unknown>,
  };
}

function isCode(
  block: ReturnType<typeof parseMarkdown>[number],
  language: string,
): block is { kind: "code"; language: string; text: string } {
  return block.kind === "code" && block.language === language;
}

async function arrange({ account, role = "admin", scope = "crm:write" }: Scene): Promise<Record<string, string>> {
  const organizationId = await createOrganization();
  if (account) await insertRecord("accounts", organizationId, account);
  if (scope === null) return {};
  const context = await createContext({ organizationId, role, scopes: [scope] });
  return { authorization: `Bearer ${await createAccessToken(context)}` };
}

test.each(SCENES)("the request on the page of %s is answered with the problem on that page", async (code, scene) => {
  const { method, path, headers, body, problem } = await exampleOf(code);
  const isJson = headers["content-type"] === "application/json";
  const answer = await callRoute(
    method,
    path,
    { ...headers, ...(await arrange(scene)) },
    isJson ? JSON.parse(body) : body,
  );
  const { status, title, detail, errors } = JSON.parse(answer.text) as Record<string, unknown>;
  expect({ status, title, detail, errors, code }).toEqual({
    status: problem.status,
    title: problem.title,
    detail: problem.detail,
    errors: problem.errors,
    code: problem.code,
  });
});
