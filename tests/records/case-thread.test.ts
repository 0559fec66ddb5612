import { expect, test } from "vitest";

import { newId } from "@/lib/ids";
import { batchOperation } from "@/lib/records/batch/batch-operation";
import { createCommentOfCase, listCommentsOfCase } from "@/lib/records/case-thread";
import { createOperation, deleteOperation, updateOperation } from "@/lib/records/operations";
import { listStageChanges } from "@/lib/records/stage-history";
import { createContext, insertRecord, NEEDED } from "@/tests/support/factories";

import { type Answer, refusal, run } from "@/tests/records/support/write-operations";

interface Page {
  data: Answer[];
  next_cursor: string | null;
  has_more: boolean;
}

async function page(
  operation: unknown,
  context: Awaited<ReturnType<typeof createContext>>,
  input: object,
): Promise<Page> {
  return (await run(operation, context, input)) as unknown as Page;
}

/** A case with comments at these positions, written in this order, and the ids in the order of the thread. */
async function thread(positions: number[]) {
  const context = await createContext();
  const id = await insertRecord("cases", context.organizationId);
  const comments: { position: number; id: string }[] = [];
  for (const position of positions)
    comments.push({
      position,
      id: await insertRecord("case_comments", context.organizationId, { case_id: id, position }),
    });
  const ordered = comments
    .toSorted((a, b) => a.position - b.position || (a.id < b.id ? -1 : 1))
    .map((comment) => comment.id);
  await insertRecord("case_comments", context.organizationId, {
    case_id: await insertRecord("cases", context.organizationId),
  });
  return { context, id, ordered };
}

test("a thread is read in its order, page by page; comments at one position by their ids", async () => {
  const { context, id, ordered } = await thread([3, 1, 2, 2, 2, 5, 4]);
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const next: Page = await page(listCommentsOfCase, context, { id, limit: 2, ...(cursor && { cursor }) });
    seen.push(...next.data.map((comment) => comment.id));
    expect(next.next_cursor).toBe(next.has_more ? next.data.at(-1)?.id : null);
    cursor = next.next_cursor;
  } while (cursor);
  expect(seen).toEqual(ordered);
});

test("a cursor survives the deletion of its comment, and of those around it", async () => {
  const { context, id, ordered } = await thread([1, 2, 3, 4, 5, 6]);
  const first = await page(listCommentsOfCase, context, { id, limit: 3 });
  for (const comment of [ordered[1], ordered[2], ordered[3]])
    await run(deleteOperation("case_comments"), context, { id: comment });
  const second = await page(listCommentsOfCase, context, { id, limit: 3, cursor: first.next_cursor });
  expect(second).toMatchObject({ data: [{ id: ordered[4] }, { id: ordered[5] }], next_cursor: null, has_more: false });
});

test("a comment that is added to a case is at the end of its thread", async () => {
  const { context, id } = await thread([1, 2]);
  const written = await run(createCommentOfCase, context, { id, body: "Third", is_public: true });
  expect(written).toMatchObject({
    case_id: id,
    body: "Third",
    is_public: true,
    position: 3,
    author_id: context.userId,
  });
  const { data } = await page(listCommentsOfCase, context, { id });
  expect(data.at(-1)).toEqual(written);
});

test("the author of a comment is whoever writes it, unless somebody is named", async () => {
  const { context, id } = await thread([]);
  const write = (given: object) => run(createCommentOfCase, context, { id, body: "Hello", ...given });
  expect(await write({ author_name: null })).toMatchObject({ author_id: context.userId, author_name: null });
  expect(await write({ author_name: "Ada" })).toMatchObject({ author_id: null, author_name: "Ada" });
  expect(await write({ author_id: null })).toMatchObject({ author_id: null, author_name: null });
  expect(await write({ author_id: context.userId, author_name: "Ada" })).toMatchObject({ author_id: context.userId });
});

test("a case that does not exist, or of another organization, has no thread", async () => {
  const { context, id } = await thread([1]);
  const stranger = await createContext();
  for (const [who, missing] of [
    [context, newId()],
    [context, "1"],
    [stranger, id],
  ] as const) {
    expect(await refusal(run(listCommentsOfCase, who, { id: missing }))).toMatchObject({ code: "not_found" });
    expect(await refusal(run(createCommentOfCase, who, { id: missing, body: "x" }))).toMatchObject({
      code: "not_found",
    });
  }
  expect(await refusal(run(createCommentOfCase, context, { id, body: "x", case_id: id }))).toMatchObject({
    errors: ["/case_id unknown_field"],
  });
});

test("a comment of another case or organization is not a cursor, and an unknown case has none", async () => {
  const [own, other, theirs] = [await thread([1, 2]), await thread([1]), await thread([1])];
  const elsewhere = await insertRecord("case_comments", own.context.organizationId, {
    case_id: await insertRecord("cases", own.context.organizationId),
  });
  for (const cursor of [elsewhere, other.ordered[0], theirs.ordered[0]]) {
    const refused = { code: "invalid_request", errors: ["/cursor invalid_cursor"] };
    expect(await refusal(run(listCommentsOfCase, own.context, { id: own.id, cursor }))).toEqual(refused);
    expect(await refusal(run(listCommentsOfCase, own.context, { id: newId(), cursor }))).toMatchObject({
      code: "not_found",
    });
  }
});

test.each(["", "1", newId(), Buffer.from(`1.${newId()}`).toString("base64url")])(
  "%j is not a cursor of a thread",
  async (cursor) => {
    const { context, id } = await thread([1]);
    expect(await refusal(run(listCommentsOfCase, context, { id, cursor }))).toEqual({
      code: "invalid_request",
      errors: ["/cursor invalid_cursor"],
    });
  },
);

test("the stages of an opportunity are read newest first, page by page", async () => {
  const context = await createContext();
  const { id } = await run(createOperation("opportunities"), context, NEEDED.opportunities);
  for (const stage of ["proposal", "closed_lost", "negotiation"])
    await run(updateOperation("opportunities"), context, { id, stage, next_step: stage });
  const first = await page(listStageChanges, context, { id, limit: 3 });
  const moves = first.data.map(({ from_stage, to_stage }) => [from_stage, to_stage]);
  expect(moves).toEqual([
    ["closed_lost", "negotiation"],
    ["proposal", "closed_lost"],
    ["prospecting", "proposal"],
  ]);
  const rest = await page(listStageChanges, context, { id, limit: 3, cursor: first.next_cursor });
  expect(rest).toMatchObject({
    data: [{ from_stage: null, to_stage: "prospecting", changed_by_id: context.userId }],
    has_more: false,
  });
  expect(await refusal(run(listStageChanges, await createContext(), { id }))).toMatchObject({ code: "not_found" });
  expect(await refusal(run(listStageChanges, context, { id: "1" }))).toMatchObject({ code: "not_found" });
});

test("comments that move to another case are at the end of its thread, in their order", async () => {
  const { context, id } = await thread([1, 2]);
  const from = await run(createOperation("cases"), context, NEEDED.cases);
  const comments: Answer[] = [];
  for (const body of ["a", "b", "c"]) comments.push(await run(createCommentOfCase, context, { id: from.id, body }));
  const [first, ...others] = comments;
  expect(await run(updateOperation("case_comments"), context, { id: first?.id, case_id: id })).toMatchObject({
    case_id: id,
    position: 3,
  });
  expect(await run(updateOperation("case_comments"), context, { id: first?.id, case_id: id, body: "A" })).toMatchObject(
    { position: 3 },
  );
  const items = others.map((comment) => ({ action: "update", id: comment.id, data: { case_id: id } }));
  await run(batchOperation("case_comments"), context, { mode: "all_or_nothing", items });
  const { data } = await page(listCommentsOfCase, context, { id });
  expect(data.map(({ position }) => position)).toEqual([1, 2, 3, 4, 5]);
  expect(data.slice(2).map((comment) => comment.id)).toEqual(comments.map((comment) => comment.id));
});
