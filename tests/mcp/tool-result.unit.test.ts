import { expect, test } from "vitest";

import type { Context } from "@/lib/context";
import { AppError } from "@/lib/errors";
import { toolResult } from "@/lib/mcp/tool-result";
import { queryRecords } from "@/lib/mcp/tools/read-records";
import { createRecord } from "@/lib/mcp/tools/write-records";
import type { Tool } from "@/lib/mcp/tool";

const context = { requestId: "01900000-0000-7000-8000-000000000001" } as Context;
const [reads, writes] = [queryRecords, createRecord] as unknown as [Tool, Tool];
const never = new Promise<never>(() => undefined);

async function textOf(result: ReturnType<typeof toolResult>) {
  const { content, isError, structuredContent } = await result;
  const [first] = content;
  return { text: first?.type === "text" ? first.text : "", isError, structuredContent };
}

test("a call that takes too long ends, and says whether it may still change something", async () => {
  expect(await textOf(toolResult(reads, context, never, 10))).toEqual({
    text: "query_records takes longer than 0.01 seconds. Ask for less at once.",
    isError: true,
  });
  expect(await textOf(toolResult(writes, context, never, 10))).toMatchObject({
    text: expect.stringContaining("It may still be carried out: look before you try again."),
    isError: true,
  });
});

function record(name: string, fields: object) {
  return { id: name, version: 1, url: `https://crm/${name}`, fields };
}

test("records of a result that is too long have the same share, and what they lack is said", async () => {
  const small = record("small", { name: "x".repeat(1000) });
  const texts = record("texts", { name: "first", body: "y".repeat(90_000) });
  const names = Object.fromEntries(Array.from({ length: 9000 }, (_, index) => [`field_${index}`, index]));
  const wide = record("wide", names);
  const value = Promise.resolve({ part: { data: [small, texts] }, data: [wide], next_cursor: null });
  const { text, structuredContent } = await textOf(toolResult(reads, context, value));
  expect(text.length).toBeLessThanOrEqual(100_000);
  expect(text.length).toBeGreaterThan(20_000);
  expect(structuredContent).toMatchObject({
    part: { data: [small, { ...texts, fields: { name: "first" } }] },
    data: [{ id: "wide", fields: { field_0: 0 }, shortened: expect.stringContaining("of 9000 fields are left out") }],
  });
});

test("a result that is too long without any record is refused whole", async () => {
  const records = Promise.resolve({ data: ["x".repeat(200_000)] });
  expect(await textOf(toolResult(reads, context, records))).toEqual({
    text: "The result has 200013 characters, too many. Ask for less.",
    isError: true,
  });
});

test("a refusal says what, where and how to mend it; a defect says nothing of itself", async () => {
  const errors = [{ pointer: "/fields/name", code: "invalid_value" as const, detail: "Give a name." }];
  const refused = Promise.reject(new AppError("invalid_request", "Some is not valid.", { errors, retryAfter: 3 }));
  expect(await textOf(toolResult(writes, context, refused))).toEqual({
    text: "Some is not valid. (invalid_request)\nfields/name: Give a name.\nTry again after 3 seconds.",
    isError: true,
  });
  const perKind = [{ pointer: "/per_kind", code: "out_of_range" as const, detail: "`per_kind` must be at most 20." }];
  const renamed = Promise.reject(new AppError("invalid_request", "Some is not valid.", { errors: perKind }));
  expect((await textOf(toolResult(reads, context, renamed))).text).toContain("\nlimit: `limit` must be at most 20.");
  const defect = Promise.reject(new Error("password=secret"));
  expect((await textOf(toolResult(writes, context, defect))).text).toBe(
    `Something went wrong here. Quote the request id ${context.requestId} to the support.`,
  );
});
