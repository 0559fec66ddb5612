import { CUSTOM_FIELDS } from "@/lib/migration/configuration/custom-fields";
import {
  cleanJson,
  type Draft,
  exact,
  likely,
  type People,
  type Skip,
  type SourceObject,
  textOf,
} from "@/lib/migration/objects/declaration";
import { keepFiles } from "@/lib/migration/objects/entry-files";
import { htmlToText } from "@/lib/migration/objects/html-to-text";
import { CONTENT_VERSION, hasPrefix, KEY_PREFIXES, objectOf } from "@/lib/migration/objects/key-prefixes";
import type { SourceObjectName } from "@/lib/migration/objects/source-object-names";
import type { SourceRecord } from "@/lib/salesforce/query";

/** Other feeds are no thread of a case. No relationship leads from a reply to its record (Object Reference). */
const OF_CASES = hasPrefix("ParentId", KEY_PREFIXES.Case);

/** Larger pages are refused to users without “View All Data” (Object Reference, FeedItem, "SOQL restrictions"). */
const MAX_FEED_PAGE_RECORDS = 1000;

/** The objects whose records a migration imports, and Salesforce also shows as posts in the feed. */
const SHOWN_OBJECTS = new Set<SourceObjectName | undefined>(["CaseComment", "EmailMessage", "Task", "Event"]);

/** The id of the comment, e-mail, task or event that a post only shows; null if it shows none. */
function shownRecord(post: SourceRecord): string | null {
  const related = textOf(post, "RelatedRecordId");
  return related && SHOWN_OBJECTS.has(objectOf(related)) ? related : null;
}

/** The types of posts for a conversation that stands in their RelatedRecordId, and in no object that is imported. */
const CONVERSATIONS = new Set<unknown>(["ChatTranscriptPost", "SocialPost"]);

/** Whether nobody wrote, linked or attached anything: Salesforce only says that something happened. */
function isNotice(post: SourceRecord): boolean {
  const isWritten = ["Body", "Title", "LinkUrl"].some((field) => textOf(post, field) !== null);
  const related = textOf(post, "RelatedRecordId");
  const hasFile = related?.startsWith(CONTENT_VERSION) === true || post.HasContent === true;
  return !isWritten && !hasFile && !CONVERSATIONS.has(post.Type);
}

/** Why a post that only says that something happened is skipped; null if it says more. */
export function noticeOfPost(post: SourceRecord): Skip | null {
  if (!isNotice(post)) return null;
  return {
    code: "feed_notice",
    reason:
      "This post has no text, link or file of its own. Salesforce only notes in the feed that something happened, " +
      "such as a changed field, or an attached article, which stays in Salesforce.",
    field: "Type",
    value: textOf(post, "Type") ?? "",
  };
}

const SIGNED = { author_id: ["CreatedById"], author_name: ["CreatedById"], kind: [] };

function sign(record: SourceRecord, draft: Draft, people: People): void {
  const author = textOf(record, "CreatedById");
  draft.columns.kind = "comment";
  draft.columns.author_id = author && people.memberOf(author);
  draft.columns.author_name = author && people.nameOf(author);
  if (author) draft.customFields.CreatedById = author;
}

/** The text of a body. The HTML of rich text is kept in `custom_fields`. */
function write(record: SourceRecord, field: string, draft: Draft): string | null {
  const written = textOf(record, field);
  if (written === null || record.IsRichText !== true) return written;
  draft.customFields[field] = written;
  return htmlToText(written) || null;
}

const AUTHOR_NOTE = "Matched to a member of the organization by e-mail; the name is kept as author_name.";
const RICH_NOTE = "Of rich text its text; the HTML is kept as a custom field.";

/** A post in the feed of a case. One that only shows another record is skipped if that record is imported. */
export const feedItem: SourceObject = {
  name: "FeedItem",
  label: "feed post",
  resource: "case_comments",
  where: OF_CASES,
  maxPageRecords: MAX_FEED_PAGE_RECORDS,
  // Object Reference, FeedItem, "Usage".
  hasNoStampFilter: true,
  hasNoAggregates: true,
  isHardDeleted: true,
  fields: { ParentId: exact("case_id") },
  fixed: {
    Body: likely("body", `${RICH_NOTE} Of a link without text its title or address.`),
    Visibility: likely("is_public", "AllUsers is public, InternalUsers is not, nor what moderators hold back."),
    RelatedRecordId: likely(CUSTOM_FIELDS, "Tells which record the post shows, so that it gives way to that one."),
    CreatedById: likely("author_id", AUTHOR_NOTE),
  },
  placeholders: { body: "(no text)" },
  computed: { body: ["Body", "Title", "LinkUrl"], is_public: ["Visibility"], ...SIGNED },
  ignoredFields: [],
  ruleFields: ["Type", "RelatedRecordId", "HasContent", "IsRichText", "Status"],
  skip: (post) => (shownRecord(post) === null ? noticeOfPost(post) : null),
  refine(post, draft, people) {
    sign(post, draft, people);
    keepFiles(post, draft);
    const related = post.RelatedRecordId;
    if (related !== null && related !== undefined) draft.customFields.RelatedRecordId = cleanJson(related);
    const shown = shownRecord(post);
    if (shown !== null) draft.mirror = { extId: shown, otherwise: noticeOfPost(post) };
    draft.columns.is_public = isPublic(post);
    draft.columns.body = write(post, "Body", draft) ?? textOf(post, "Title") ?? textOf(post, "LinkUrl");
  },
};

/**
 * Whether moderators let everybody see a post or reply: SOQL also gives those that wait for them, or that they have
 * isolated (Object Reference, FeedItem, "Status"). Orgs without moderation have no such field, or leave it empty.
 */
function isPublished({ Status: status }: SourceRecord): boolean {
  return (status ?? "Published") === "Published";
}

function isPublic(post: SourceRecord): boolean {
  return post.Visibility === "AllUsers" && isPublished(post);
}

/** Under this name a reply has whether its post is public, which decides who sees it. */
const HAS_PUBLIC_POST = "FeedItem.isPublic";

/** The fields of a post that say who sees its replies. */
export const VISIBILITY_OF_POST = ["Visibility", "Status"];

/** Notes on a reply whether its post is public. */
export function setPost(reply: SourceRecord, post: SourceRecord | undefined): void {
  reply[HAS_PUBLIC_POST] = post !== undefined && isPublic(post);
}

/** A reply to a post. It is an entry of the thread of its own, also if the post is skipped. */
export const feedComment: SourceObject = {
  name: "FeedComment",
  label: "feed comment",
  resource: "case_comments",
  where: OF_CASES,
  maxPageRecords: MAX_FEED_PAGE_RECORDS,
  // Object Reference, FeedComment, "Usage".
  isHardDeleted: true,
  fields: { ParentId: exact("case_id") },
  fixed: {
    CommentBody: likely("body", RICH_NOTE),
    CreatedById: likely("author_id", AUTHOR_NOTE),
  },
  placeholders: { body: "(no text)" },
  computed: { body: ["CommentBody"], is_public: [], ...SIGNED },
  ignoredFields: [],
  ruleFields: ["FeedItemId", "RelatedRecordId", "IsRichText", "Status"],
  refine(reply, draft, people) {
    sign(reply, draft, people);
    keepFiles(reply, draft);
    draft.columns.is_public = isPublished(reply) && reply[HAS_PUBLIC_POST] === true;
    draft.columns.body = write(reply, "CommentBody", draft);
  },
};
