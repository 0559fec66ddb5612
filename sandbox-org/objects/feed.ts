import { auditFields, idField } from "../generator/audit";
import { Dice, type Value } from "../generator/dice";
import { CONTENT_PLACE, isRich, mirroredId, POST_BLOCK, postAt, repliedPost, replyWritten } from "../generator/feed";
import { documentNear, versionOfPost, versionOfReply } from "../generator/files";
import { idOf } from "../generator/references";
import { empty, field, READ_ONLY, type Field, type FieldOptions } from "../schema/field";
import { caseComment } from "./case-comment";
import { generated } from "./generated";

const posts = new Dice("FeedItem");
const replies = new Dice("FeedComment");
const POST_RICH = posts.salt("IsRichText");
const REPLY_RICH = replies.salt("IsRichText");

/** Objects that have a feed in this org. */
const FEED_PARENTS = ["Account", "Case", "Contact", "Lead", "Opportunity", "Product2", "User"];
const PARENT: FieldOptions = { referenceTo: FEED_PARENTS, updateable: false, nillable: false };
/** Fields of feeds that SOQL cannot filter (Object Reference, FeedItem). */
const UNFILTERED: FieldOptions = { ...READ_ONLY, filterable: false };
/** Ids from which no relationship leads to the record (Object Reference, FeedItem and FeedComment). */
const WITHOUT_RELATIONSHIP: FieldOptions = { relationshipName: null };

const TYPES = [
  "TrackedChange",
  "TextPost",
  "AdvancedTextPost",
  "LinkPost",
  "ContentPost",
  "PollPost",
  "QuestionPost",
  "CaseCommentPost",
  "EmailMessageEvent",
  "CallLogPost",
  "ChangeStatusPost",
  "ActivityEvent",
  "AttachArticleEvent",
  "CreatedRecordEvent",
  "MilestoneEvent",
  "ChatTranscriptPost",
  "SocialPost",
];

/** Feeds do not say who changed them last. */
const without = (names: readonly string[], fields: readonly Field[]): readonly Field[] =>
  fields.filter(({ name }) => !names.includes(name));

/** SOQL cannot filter posts by their stamp (Object Reference, FeedItem, "Usage"). */
const withoutStampFilter = (fields: readonly Field[]): readonly Field[] =>
  fields.map((each) => (each.name === "SystemModstamp" ? { ...each, filterable: false } : each));

/** The HTML that the editor of Chatter makes. */
const rich = (text: string): string =>
  `<p>${text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll("\n", "</p><p>")}</p>` +
  "<ul><li><b>Seal &Oslash; 40</b></li><li>Gasket</li></ul>";

/** An image that was pasted into a text (Object Reference, FeedItem, "IsRichText"). */
const image = (document: string): string => `<p><img src="sfdc://${document}"></img></p>`;

const ownText = posts.text("Body", 9000);
const replyText = replies.text("CommentBody", 9000);
const commentText = caseComment.fields.find(({ name }) => name === "CommentBody");

/** Whether the post has a text that somebody wrote into the feed. */
const hasOwnText: Value<boolean> = (org, n) => {
  const { type } = postAt(org, n);
  if (type === "ContentPost" || type === "ChangeStatusPost") return n % 3 === 0;
  return type === "TextPost";
};

const isRichPost: Value<boolean> = (org, n) => hasOwnText(org, n) && isRich(org, POST_RICH, n);

const bodyOf: Value<string | null> = (org, n) => {
  const { type, mirrored } = postAt(org, n);
  if (type === "CaseCommentPost") return (commentText?.value(org, mirrored) as string | null | undefined) ?? null;
  if (!hasOwnText(org, n)) return null;
  if (!isRichPost(org, n)) return ownText(org, n);
  return type === "ChangeStatusPost" ? rich(ownText(org, n)) + image(documentNear(org, n)) : rich(ownText(org, n));
};

const hasFile: Value<boolean> = (org, n) => n % POST_BLOCK === CONTENT_PLACE && postAt(org, n).type === "ContentPost";

export const feedItem = generated(
  "FeedItem",
  [
    idField("FeedItem", "Feed Item ID"),
    field("reference", "ParentId", (org, n) => idOf(org, "Case", postAt(org, n).caseOrdinal), PARENT),
    field("picklist", "Type", (org, n) => postAt(org, n).type, {
      length: 40,
      updateable: false,
      picklist: TYPES,
      restrictedPicklist: true,
    }),
    ...withoutStampFilter(
      without(
        ["LastModifiedById"],
        auditFields("FeedItem", (org, n) => postAt(org, n).created),
      ),
    ),
    empty("int", "Revision", READ_ONLY),
    empty("reference", "LastEditById", { ...UNFILTERED, ...WITHOUT_RELATIONSHIP, referenceTo: ["User"] }),
    empty("datetime", "LastEditDate", READ_ONLY),
    field("int", "CommentCount", (_, n) => (n % 4 === 0 ? 1 : 0), READ_ONLY),
    field("int", "LikeCount", (_, n) => n % 3, READ_ONLY),
    field("string", "Title", (org, n) => (postAt(org, n).type === "LinkPost" ? "How to change the seal" : null), {
      updateable: false,
      filterable: false,
    }),
    field("textarea", "Body", bodyOf, { length: 10_000, extraTypeInfo: null }),
    field(
      "url",
      "LinkUrl",
      (org, n) => (postAt(org, n).type === "LinkPost" ? `https://kb.pumps.example/articles/${n}` : null),
      { length: 1000, updateable: false, filterable: false },
    ),
    field("boolean", "IsRichText", isRichPost, { updateable: false }),
    field(
      "reference",
      "RelatedRecordId",
      (org, n) => mirroredId(org, n) ?? (hasFile(org, n) ? versionOfPost(org, n) : null),
      {
        ...UNFILTERED,
        createable: true,
        ...WITHOUT_RELATIONSHIP,
        referenceTo: ["ContentVersion"],
      },
    ),
    empty("reference", "InsertedById", { ...UNFILTERED, referenceTo: ["User"] }),
    field("picklist", "Visibility", posts.pick("Visibility", ["AllUsers", "InternalUsers", "InternalUsers"]), {
      length: 40,
      picklist: ["AllUsers", "InternalUsers"],
      restrictedPicklist: true,
    }),
    field("boolean", "HasContent", hasFile, READ_ONLY),
    field("boolean", "HasLink", (org, n) => postAt(org, n).type === "LinkPost", READ_ONLY),
    empty("boolean", "IsClosed", READ_ONLY),
    field("picklist", "Status", () => "Published", { length: 40, picklist: ["Published", "PendingReview"] }),
  ],
  { label: "Feed Item", layoutable: false, searchable: true },
);

const postOf: Value<string> = (org, n) => idOf(org, "FeedItem", repliedPost(org, n));
const isRichReply: Value<boolean> = (org, n) => isRich(org, REPLY_RICH, n);

export const feedComment = generated(
  "FeedComment",
  [
    idField("FeedComment", "Feed Comment ID"),
    field("reference", "FeedItemId", postOf, {
      ...WITHOUT_RELATIONSHIP,
      referenceTo: ["FeedItem"],
      updateable: false,
      nillable: false,
    }),
    field("reference", "ParentId", (org, n) => idOf(org, "Case", postAt(org, repliedPost(org, n)).caseOrdinal), {
      ...PARENT,
      ...WITHOUT_RELATIONSHIP,
      ...READ_ONLY,
      nillable: true,
    }),
    ...without(["LastModifiedById", "LastModifiedDate"], auditFields("FeedComment", replyWritten)),
    empty("int", "Revision", READ_ONLY),
    empty("reference", "LastEditById", { ...UNFILTERED, ...WITHOUT_RELATIONSHIP, referenceTo: ["User"] }),
    empty("datetime", "LastEditDate", READ_ONLY),
    field("textarea", "CommentBody", (org, n) => (isRichReply(org, n) ? rich(replyText(org, n)) : replyText(org, n)), {
      length: 10_000,
      extraTypeInfo: null,
    }),
    empty("reference", "InsertedById", { ...UNFILTERED, referenceTo: ["User"] }),
    field("picklist", "CommentType", (org, n) => (versionOfReply(org, n) === null ? "TextComment" : "ContentComment"), {
      length: 40,
      updateable: false,
      picklist: ["TextComment", "ContentComment"],
    }),
    field("reference", "RelatedRecordId", versionOfReply, {
      ...UNFILTERED,
      createable: true,
      ...WITHOUT_RELATIONSHIP,
      referenceTo: ["ContentVersion"],
    }),
    field("boolean", "IsRichText", isRichReply, { updateable: false }),
    field("picklist", "Status", () => "Published", { length: 40, picklist: ["Published", "PendingReview"] }),
    empty("reference", "ThreadParentId", { ...READ_ONLY, referenceTo: ["FeedComment"] }),
    empty("int", "ThreadLevel", READ_ONLY),
  ],
  { label: "Feed Comment", layoutable: false },
);
