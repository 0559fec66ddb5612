import { expect, test } from "vitest";

import type { Configuration } from "@/lib/migration/configuration/configuration-schema";
import { SalesforceError } from "@/lib/salesforce/errors";
import { to18 } from "@/lib/salesforce/ids";
import { createMigration, issuesOf, recordsOf, runMigration } from "@/tests/migration/support/run-migration";
import { ScriptedSource, sourceId, sourceRecord } from "@/tests/migration/support/scripted-source";
import { pool } from "@/tests/support/owner";

const at = (minute: number) => `2024-05-02T10:${String(minute).padStart(2, "0")}:00.000+0000`;
const CASE = sourceId("500", 1);

function post(number: number, fields: Record<string, unknown>) {
  return sourceRecord("0D5", number, {
    ParentId: CASE,
    Type: "TextPost",
    Body: null,
    RelatedRecordId: null,
    ...fields,
  });
}

function reply(number: number, fields: Record<string, unknown>) {
  return sourceRecord("0D7", number, { ParentId: CASE, CommentType: "TextComment", RelatedRecordId: null, ...fields });
}

/** A case with a comment, an e-mail and a call, and with the posts that Salesforce makes of them. */
function feed(): ScriptedSource {
  return new ScriptedSource({
    User: [{ Id: sourceId("005", 3), Name: "Jo Author", Email: "jo@source.example" }],
    Account: [],
    Contact: [],
    Case: [sourceRecord("500", 1, { Subject: "S" })],
    CaseComment: [
      sourceRecord("00a", 1, { ParentId: CASE, CommentBody: "comment", CreatedDate: at(4) }),
      sourceRecord("00a", 2, { ParentId: CASE, CommentBody: "lost", CreatedDate: "broken" }),
    ],
    EmailMessage: [sourceRecord("02s", 1, { ParentId: CASE, Incoming: true, MessageDate: at(2), TextBody: "mail" })],
    FeedItem: [
      post(1, { Body: "public post", Visibility: "AllUsers", CreatedDate: at(1), CreatedById: sourceId("005", 3) }),
      post(2, { Type: "CaseCommentPost", Body: "comment", RelatedRecordId: sourceId("00a", 1), CreatedDate: at(4) }),
      post(3, { Type: "EmailMessageEvent", RelatedRecordId: sourceId("02s", 1), CreatedDate: at(2) }),
      post(4, { Type: "CallLogPost", Body: "notes", RelatedRecordId: sourceId("00T", 1), CreatedDate: at(5) }),
      post(5, { Type: "TrackedChange", CreatedDate: at(5) }),
      post(6, { Type: "ChangeStatusPost", Body: "closed, as agreed", CreatedDate: at(6) }),
      post(7, { Type: "CaseCommentPost", Body: "lost", RelatedRecordId: sourceId("00a", 2), CreatedDate: at(7) }),
      post(8, { Type: "EmailMessageEvent", RelatedRecordId: sourceId("02s", 9), CreatedDate: at(7) }),
      post(9, {
        IsRichText: true,
        Body: "<p>Seal &amp; <b>gasket</b></p><ul><li>two</li></ul>",
        Visibility: "InternalUsers",
        CreatedDate: at(3),
      }),
      post(10, { Type: "LinkPost", Title: "Manual", LinkUrl: "https://kb.example/1", CreatedDate: at(8) }),
      post(11, { Type: "ContentPost", RelatedRecordId: sourceId("068", 1), CreatedDate: at(9) }),
      post(12, { Type: "ChatTranscriptPost", RelatedRecordId: sourceId("570", 1), CreatedDate: at(9) }),
    ],
    FeedComment: [
      reply(1, { FeedItemId: sourceId("0D5", 3), CommentBody: "reply to an e-mail", CreatedDate: at(10) }),
      reply(2, { FeedItemId: sourceId("0D5", 1), CommentBody: "public reply", CreatedDate: at(1) }),
    ],
    ContentVersion: [
      { Id: sourceId("068", 1), Title: "Protokoll", FileExtension: "pdf", ContentSize: 4711 },
      { Id: sourceId("068", 2), Title: "log.txt", FileExtension: "txt", ContentSize: 9 },
    ],
    Task: [sourceRecord("00T", 1, { Subject: "Call", Description: "notes", WhatId: CASE })],
    Event: [],
  });
}

const entries = async (organizationId: string) =>
  (
    await pool().query<Record<string, unknown>>(
      `SELECT ext_id, position, body, is_public, author_name, kind, custom_fields FROM case_comments
       WHERE organization_id = $1 ORDER BY position`,
      [organizationId],
    )
  ).rows;

test("posts and their comments are in the thread by time, and nothing is there twice", async () => {
  const key = await createMigration();
  const finished = await runMigration(key, feed());
  expect(finished.failure).toBeNull();
  const thread = await entries(key.organizationId);
  expect(thread.map(({ ext_id, position, body }) => [position, ext_id, body])).toEqual([
    [1, sourceId("0D5", 1), "public post"],
    [2, sourceId("0D7", 2), "public reply"],
    [3, sourceId("02s", 1), "mail"],
    [4, sourceId("0D5", 9), "Seal & gasket\n\n- two"],
    [5, sourceId("00a", 1), "comment"],
    [6, sourceId("0D5", 6), "closed, as agreed"],
    [7, sourceId("0D5", 7), "lost"],
    [8, sourceId("0D5", 10), "Manual"],
    [9, sourceId("0D5", 11), "(no text)"],
    [10, sourceId("0D5", 12), "(no text)"],
    [11, sourceId("0D7", 1), "reply to an e-mail"],
  ]);
  expect(finished.lines.FeedItem).toMatchObject({ source: 12, created: 7, skipped: 5, failed: 0, status: "done" });
  expect(finished.lines.FeedComment).toMatchObject({ source: 2, created: 2, status: "done" });
});

test("each post that is left out has its reason, and leads to the record that it shows", async () => {
  const key = await createMigration();
  await runMigration(key, feed());
  expect(await issuesOf(key)).toMatchObject({
    [sourceId("0D5", 2)]: { code: "mirrored_in_feed", outcome: "skipped", value: sourceId("00a", 1) },
    [sourceId("0D5", 3)]: { code: "mirrored_in_feed", value: sourceId("02s", 1) },
    [sourceId("0D5", 4)]: { code: "mirrored_in_feed", value: sourceId("00T", 1) },
    [sourceId("0D5", 5)]: { code: "feed_notice", value: "TrackedChange" },
    [sourceId("0D5", 8)]: { code: "feed_notice", value: "EmailMessageEvent" },
  });
  const records = await recordsOf("case_comments", key.organizationId);
  const aliases = await pool().query(
    "SELECT ext_id, record_id FROM ext_aliases WHERE organization_id = $1 ORDER BY 1",
    [key.organizationId],
  );
  expect(aliases.rows).toEqual([
    { ext_id: sourceId("0D5", 2), record_id: records[sourceId("00a", 1)]?.id },
    { ext_id: sourceId("0D5", 3), record_id: records[sourceId("02s", 1)]?.id },
  ]);
});

test("public and internal, author, HTML, link and file of a post are kept", async () => {
  const key = await createMigration();
  await runMigration(key, feed());
  const records = await recordsOf("case_comments", key.organizationId);
  expect(records[sourceId("0D5", 1)]).toMatchObject({ is_public: true, author_name: "Jo Author", kind: "comment" });
  expect(records[sourceId("0D7", 2)]).toMatchObject({ is_public: true });
  expect(records[sourceId("0D7", 1)]).toMatchObject({ is_public: false });
  expect(records[sourceId("0D5", 9)]).toMatchObject({
    is_public: false,
    custom_fields: { Body: "<p>Seal &amp; <b>gasket</b></p><ul><li>two</li></ul>" },
  });
  expect(records[sourceId("0D5", 10)]).toMatchObject({ custom_fields: { LinkUrl: "https://kb.example/1" } });
  expect(records[sourceId("0D5", 12)]).toMatchObject({ custom_fields: { RelatedRecordId: sourceId("570", 1) } });
  const version = sourceId("068", 1);
  const file = {
    ext_id: version,
    name: "Protokoll.pdf",
    size: 4711,
    content_type: null,
    url: `https://scripted.my.salesforce.com/sfc/servlet.shepherd/version/download/${version}`,
  };
  expect(records[sourceId("0D5", 11)]).toMatchObject({ custom_fields: { Attachments: [file] } });
});

test("a post with several files names each", async () => {
  const key = await createMigration();
  const source = feed();
  source.records.FeedItem?.push(post(12, { Type: "ContentPost", HasContent: true, CreatedDate: at(12) }));
  source.records.FeedAttachment = [1, 2].map((number) => ({
    Id: sourceId("08U", number),
    FeedEntityId: sourceId("0D5", 12),
    RecordId: sourceId("068", number),
  }));
  await runMigration(key, source);
  const records = await recordsOf("case_comments", key.organizationId);
  const kept = records[sourceId("0D5", 12)]?.custom_fields as { Attachments: { name: string }[] } | undefined;
  expect(kept?.Attachments.map(({ name }) => name)).toEqual(["Protokoll.pdf", "log.txt"]);
});

const documentId = (number: number) => sourceId("069", number).slice(0, 15);
const image = (number: number) => `<p>See</p><img src="sfdc://${documentId(number)}"></img>`;
const pasted = (number: number) => ({ IsRichText: true, CreatedDate: at(12), Body: image(number) });

test("images in the text of posts and replies are named, and further files of a post that names one", async () => {
  const key = await createMigration();
  const source = feed();
  const named = { Type: "ContentPost", HasContent: true, RelatedRecordId: sourceId("068", 1) };
  source.records.FeedItem?.push(
    post(16, pasted(3)),
    post(13, { ...pasted(1), ...named }),
    post(14, pasted(4)),
    post(15, { ...pasted(5), IsRichText: false }),
  );
  const { Body: CommentBody, ...rest } = pasted(3);
  source.records.FeedComment?.push(reply(3, { ...rest, FeedItemId: sourceId("0D5", 16), CommentBody }));
  source.records.FeedAttachment = [1, 2].map((number) => ({
    Id: sourceId("08U", number),
    FeedEntityId: sourceId("0D5", 13),
    RecordId: sourceId("068", number),
  }));
  source.records.ContentDocument = [1, 3, 5].map((number) => ({
    Id: to18(documentId(number)),
    LatestPublishedVersionId: sourceId("068", number),
    Title: `Screenshot ${number}`,
    FileExtension: "png",
    ContentSize: 7,
    IsDeleted: false,
  }));
  await runMigration(key, source);
  const records = await recordsOf("case_comments", key.organizationId);
  const filesOf = (extId: string) => {
    const kept = records[extId]?.custom_fields as { Attachments?: { ext_id: string; name: string }[] } | undefined;
    return kept?.Attachments?.map(({ ext_id, name }) => [ext_id, name]);
  };
  const screenshot = [sourceId("068", 3), "Screenshot 3.png"];
  expect(filesOf(sourceId("0D5", 16))).toEqual([screenshot]);
  expect(filesOf(sourceId("0D7", 3))).toEqual([screenshot]);
  expect(filesOf(sourceId("0D5", 13))?.map(([extId]) => extId)).toEqual([sourceId("068", 1), sourceId("068", 2)]);
  expect(filesOf(sourceId("0D5", 14))).toBeUndefined();
  expect(filesOf(sourceId("0D5", 15))).toBeUndefined();
});

test("without attachments, no file is asked for and none is named", async () => {
  const key = await createMigration();
  const source = feed();
  const asked: string[] = [];
  source.beforeQuery = (soql) => asked.push(soql);
  await runMigration(key, source, { configuration: { threads: { attachments: false } } });
  expect(asked.filter((soql) => /ContentVersion|Attachment/.test(soql))).toEqual([]);
  const records = await recordsOf("case_comments", key.organizationId);
  expect(records[sourceId("0D5", 11)]?.custom_fields).not.toHaveProperty("Attachments");
});

test("e-mails name their attachments", async () => {
  const key = await createMigration();
  const source = feed();
  const email = sourceId("02s", 1);
  Object.assign(source.records.EmailMessage?.[0] ?? {}, { HasAttachment: true });
  source.records.Attachment = [
    { Id: sourceId("00P", 1), ParentId: email, Name: "offer.pdf", ContentType: "application/pdf", BodyLength: 3 },
  ];
  await runMigration(key, source);
  const { custom_fields: kept } = (await recordsOf("case_comments", key.organizationId))[email] ?? {};
  expect((kept as { Attachments: { name: string }[] }).Attachments).toMatchObject([
    { name: "offer.pdf", size: 3, content_type: "application/pdf", url: expect.stringContaining(sourceId("00P", 1)) },
  ]);
});

test("running again changes nothing", async () => {
  const key = await createMigration();
  const source = feed();
  await runMigration(key, source);
  const before = await recordsOf("case_comments", key.organizationId);
  const again = await runMigration(key, source);
  expect(again.lines.FeedItem).toMatchObject({ created: 0, updated: 0, unchanged: 7, skipped: 5 });
  expect(again.lines.FeedComment).toMatchObject({ created: 0, updated: 0, unchanged: 2 });
  expect(await recordsOf("case_comments", key.organizationId)).toEqual(before);
});

test("a post that stood for a failed comment is removed when a later run imports the comment", async () => {
  const key = await createMigration();
  const source = feed();
  await runMigration(key, source);
  const mended = source.records.CaseComment?.find(({ CommentBody }) => CommentBody === "lost");
  Object.assign(mended ?? {}, { CreatedDate: at(7) });
  await runMigration(key, source);
  const thread = await entries(key.organizationId);
  expect(thread.filter(({ body }) => body === "lost").map(({ ext_id }) => ext_id)).toEqual([sourceId("00a", 2)]);
  expect(thread.map(({ position }) => position)).toEqual(thread.map((_, index) => index + 1));
});

test("posts do not bring back comments that the user deselected or deleted here", async () => {
  const key = await createMigration();
  const configuration = { objects: { CaseComment: { selected: false } } } as unknown as Partial<Configuration>;
  await runMigration(key, feed(), { configuration });
  const bodies = (await entries(key.organizationId)).map(({ body }) => body);
  expect(bodies).not.toContain("comment");
  expect(bodies).not.toContain("lost");

  const other = await createMigration();
  const source = feed();
  await runMigration(other, source);
  const gone = await pool().query(
    `WITH gone AS (DELETE FROM case_comments WHERE organization_id = $1 AND ext_id = $2 RETURNING *),
       unnamed AS (DELETE FROM ext_aliases a USING gone WHERE a.organization_id = $1 AND a.record_id = gone.id)
     INSERT INTO deleted_records
       (organization_id, deletion_id, resource, id, ext_id, deleted_at, deleted_by_id, is_part,
        record, cleared, aliases)
     SELECT organization_id, gen_random_uuid(), 'case_comments', id, ext_id, now(), gen_random_uuid(), false,
       to_jsonb(gone), '[]', '{}' FROM gone`,
    [other.organizationId, sourceId("00a", 1)],
  );
  expect(gone.rowCount).toBe(1);
  await runMigration(other, source);
  expect((await entries(other.organizationId)).map(({ body }) => body)).not.toContain("comment");
});

test("a source that refuses to count feeds is counted by ids, in pages of at most 1,000", async () => {
  const key = await createMigration(["Case", "FeedItem"]);
  const source = feed();
  const limits: number[] = [];
  source.beforeQuery = (soql) => {
    if (/COUNT\(\) FROM FeedItem/.test(soql))
      throw new SalesforceError("source_error", "MALFORMED_QUERY", { status: 400, errorCode: "MALFORMED_QUERY" });
    if (/FROM FeedItem/.test(soql)) limits.push(Number(/ LIMIT (\d+)/.exec(soql)?.[1] ?? Infinity));
  };
  const finished = await runMigration(key, source);
  expect(finished.lines.FeedItem).toMatchObject({ source: 12, status: "done" });
  expect(limits.length).toBeGreaterThan(1);
  expect(limits.filter((limit) => limit > 1000)).toEqual([]);
});
