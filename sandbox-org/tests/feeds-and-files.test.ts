import { expect, test } from "vitest";

import { all, byId } from "./support/records";

test("a post that shows a comment, an e-mail or a call has the case and the moment of that record", () => {
  const shown = byId("CaseComment", "EmailMessage", "Task");
  const mirrors = all("FeedItem").filter(({ Type }) =>
    ["CaseCommentPost", "EmailMessageEvent", "CallLogPost"].includes(String(Type)),
  );
  expect(mirrors.length).toBeGreaterThan(200);
  expect(new Set(mirrors.map(({ Type }) => Type)).size).toBe(3);
  const wrong = mirrors.filter(({ RelatedRecordId, ParentId, CreatedDate }) => {
    const record = shown.get(RelatedRecordId) ?? {};
    const parent = record["ParentId"] ?? record["WhatId"];
    const moments = [record["CreatedDate"], record["MessageDate"]];
    // One e-mail in a hundred does not say when it was sent.
    const isSent = !("MessageDate" in record) || record["MessageDate"] !== null;
    return record["IsDeleted"] !== false || parent !== ParentId || (isSent && !moments.includes(CreatedDate ?? null));
  });
  expect(wrong).toEqual([]);
});

test("a reply belongs to a post that is not deleted, and to its case", () => {
  const posts = byId("FeedItem");
  const wrong = all("FeedComment").filter(({ FeedItemId, ParentId, CreatedDate }) => {
    const post = posts.get(FeedItemId);
    return (
      post?.["IsDeleted"] !== false ||
      post["ParentId"] !== ParentId ||
      String(CreatedDate) < String(post["CreatedDate"])
    );
  });
  expect(wrong).toEqual([]);
});

test("every file belongs to a record, and an e-mail has attachments if and only if it says so", () => {
  const owners = byId("Account", "Case", "EmailMessage");
  const owned = [
    ...all("Attachment").map(({ ParentId }) => ParentId),
    ...all("ContentDocumentLink").map(({ LinkedEntityId }) => LinkedEntityId),
  ];
  expect(owned.filter((id) => !owners.has(id))).toEqual([]);
  const attached = new Set(owned);
  expect(all("EmailMessage").filter(({ Id, HasAttachment }) => HasAttachment !== attached.has(Id ?? null))).toEqual([]);
});

test("the file of a post exists", () => {
  const versions = byId("ContentVersion");
  const posted = [...all("FeedItem"), ...all("FeedComment")].flatMap(({ RelatedRecordId }) =>
    String(RelatedRecordId).startsWith("068") ? [RelatedRecordId] : [],
  );
  expect(posted.length).toBeGreaterThan(60);
  expect(posted.filter((id) => !versions.has(id))).toEqual([]);
});
