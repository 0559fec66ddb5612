import { spawnSync } from "node:child_process";
import { runInNewContext } from "node:vm";

import { beforeAll, describe, expect, test } from "vitest";

import { operationsOf } from "@/app/docs/places";
import { samplesOf } from "@/app/docs/samples";
import { curlSnippet } from "@/components/docs/operation/curl-snippet";
import { exampleRequest } from "@/components/docs/operation/example-request";
import { TOKEN_PLACEHOLDER, typescriptSnippet } from "@/components/docs/operation/typescript-snippet";
import { openApi } from "@/lib/http/openapi/document";
import { IDS } from "@/lib/http/openapi/examples/records";
import { RESOURCES, type ResourceName } from "@/lib/records/schema/resources";
import { callRoute } from "@/tests/http/support/call-route";
import { createAccessToken, createContext, insertRecord } from "@/tests/support/factories";

const { servers, tags } = openApi();
const SERVER = servers[0]?.url ?? "";
const PREFIX = "http://localhost:3000/api/v1";
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g;

const PRINTED = tags.flatMap(({ name: tag }) =>
  operationsOf(tag).map((operation) => {
    const request = exampleRequest(operation, SERVER, samplesOf(tag));
    return { id: operation.operationId, curl: curlSnippet(request), typescript: typescriptSnippet(request) };
  }),
);

interface Sent {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | undefined;
}

/** The arguments that curl gets from a snippet pasted into bash. */
function pasted(snippet: string, token: string): Sent {
  const shell = `curl() { printf '%s\\0' "$@"; }\n${snippet}\n`;
  const { stdout, stderr } = spawnSync("bash", ["-u"], {
    input: shell,
    encoding: "utf8",
    env: { ...process.env, TOKEN: token },
  });
  if (stderr) throw new Error(stderr);
  const words = stdout.split("\0").slice(0, -1);
  const after = (flag: string) => words.flatMap((word, index) => (words[index - 1] === flag ? [word] : []));
  const headers = Object.fromEntries(
    after("-H").map((line) => [line.split(": ")[0]?.toLowerCase(), line.split(": ")[1]]),
  );
  return {
    method: after("-X")[0] ?? "GET",
    url: words.find((word) => word.startsWith("http")) ?? "",
    headers,
    body: after("-d")[0],
  };
}

type Fetch = (
  url: string,
  options: { method?: string; headers: Record<string, string>; body?: string },
) => Promise<Response>;

/** Runs a snippet of TypeScript with the token filled in and `fetch` replaced, and returns its result. */
function run(snippet: string, token: string, fetch: Fetch): Promise<unknown> {
  return runInNewContext(`(async () => { ${snippet.replace(TOKEN_PLACEHOLDER, token)}\nreturn result; })()`, { fetch });
}

function send({ method, url, headers, body }: Sent) {
  if (!url.startsWith(PREFIX)) throw new Error(`${url} is no address of the API.`);
  return callRoute(method, url.slice(PREFIX.length), headers, body === undefined ? undefined : JSON.parse(body));
}

function printed(id: string) {
  const found = PRINTED.find((each) => each.id === id);
  if (!found) throw new Error(`The reference has no ${id}.`);
  return found;
}

test.each(PRINTED)("the snippets of $id leave no name of a path unfilled", ({ curl, typescript }) => {
  expect(curl).not.toMatch(/\{\w+\}/);
  expect(typescript).toContain(`const token = "${TOKEN_PLACEHOLDER}";`);
  expect(/fetch\("([^"]*)"/.exec(typescript)?.[1]).toBe(pasted(curl, "t").url);
});

test("the snippets of lists, search and downloads are taken as printed, and read what is answered", async () => {
  const context = await createContext({ role: "admin" });
  const token = await createAccessToken(context);
  const reading = PRINTED.filter(({ id }) => /^(?:list|search|export)_/.test(id) && !id.includes("migration"));
  const refused: string[] = [];
  for (const { id, typescript } of reading)
    await run(typescript, token, async (url, { method = "GET", headers, body }) => {
      const { status, text } = await send({ method, url, headers, body });
      return new Response(text, { status });
    }).catch((error: unknown) => refused.push(`${id}: ${String(error)}`));
  // What belongs to a record that is not there is not found.
  expect(refused.filter((fault) => !fault.includes("not_found"))).toEqual([]);
  expect(reading.length).toBeGreaterThan(20);
});

test("a snippet has no parameter that its operation does not know, and all that it requires", () => {
  const faults = tags.flatMap(({ name: tag }) =>
    operationsOf(tag).flatMap((operation) => {
      const { query } = exampleRequest(operation, SERVER, samplesOf(tag));
      const given = [...new URLSearchParams(query).entries()];
      const known = (operation.parameters ?? []).filter((parameter) => parameter.in === "query");
      const missing = known.filter(
        ({ name, required }) => required && !given.some(([each, value]) => each === name && value),
      );
      const unknown = given.filter(([each]) => !known.some(({ name }) => name === each));
      return [...missing, ...unknown].map((fault) => `${operation.operationId}: ${JSON.stringify(fault)}`);
    }),
  );
  expect(faults).toEqual([]);
});

describe.each(RESOURCES)("as printed, in an organization that has nothing yet, the snippets of %s", (resource) => {
  const [create, upsert, batch] = writesOf(resource);

  async function newReader(): Promise<{ token: string; fill: (snippet: string) => string }> {
    const context = await createContext();
    const token = await createAccessToken(context);
    if (resource !== "case_comments") return { token, fill: (snippet) => snippet };
    // A case comment requires a case, whose id the reader must fill in.
    const caseId = await insertRecord("cases", context.organizationId);
    return { token, fill: (snippet) => snippet.replaceAll(IDS.case, caseId) };
  }

  let reader: Awaited<ReturnType<typeof newReader>>;
  beforeAll(async () => {
    reader = await newReader();
  });

  test("create a record, upsert another and write a batch, by curl", async () => {
    const { token, fill } = reader;
    const answers = [];
    for (const id of [create, upsert, batch]) answers.push(await send(pasted(fill(printed(id).curl), token)));
    expect(answers.map(({ status, text }) => (status < 300 ? "done" : text))).toEqual(["done", "done", "done"]);
    const { results } = JSON.parse(answers[2]?.text ?? "{}") as { results: { status: string }[] };
    expect(results.map(({ status }) => status)).toEqual(["created", "created"]);
  });

  test("create a record in TypeScript", async () => {
    const { token, fill } = await newReader();
    const result = await run(
      fill(printed(create).typescript),
      token,
      async (url, { method = "GET", headers, body }) => {
        const { status, text } = await send({ method, url, headers, body });
        return new Response(text, { status });
      },
    );
    expect(result).toMatchObject({ id: expect.any(String), version: 1 });
  });

  test("refer to no record except those that a new one requires", () => {
    const inBodies = [create, upsert, batch].flatMap((id) => pasted(printed(id).curl, "t").body?.match(UUID) ?? []);
    expect(inBodies).toEqual(resource === "case_comments" ? Array.from({ length: 4 }, () => IDS.case) : []);
  });
});

function writesOf(resource: ResourceName): [create: string, upsert: string, batch: string] {
  const ids = operationsOf(resource).map(({ operationId }) => operationId);
  const named = (verb: string) => ids.find((id) => id.startsWith(`${verb}_`) && !id.endsWith("_of_case")) ?? "";
  return [named("create"), named("upsert"), named("batch")];
}
