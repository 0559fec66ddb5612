import { noticeOfPost } from "@/lib/migration/objects/feed";
import type { SourceObjectName } from "@/lib/migration/objects/source-object-names";
import { readByKeyset } from "@/lib/migration/pipeline/read/read-by-keyset";
import { answerWithin, PAGES_TIMEOUT_MS } from "@/lib/migration/report/answer-within";
import { canSeeField, isImportable, type ReportFacts } from "@/lib/migration/report/facts";
import { countRecords, migratedOf } from "@/lib/migration/report/survey";
import { soqlIn } from "@/lib/salesforce/query";

type Facts = Pick<ReportFacts, "client" | "survey" | "mappings">;

type Seen = Omit<Facts, "client">;

/**
 * The types of posts that only show another record. SOQL cannot filter posts by that record, so that the type has to
 * say what a post shows (Object Reference, FeedItem, "Type").
 */
const SHOWING: Record<string, SourceObjectName> = {
  CaseCommentPost: "CaseComment",
  EmailMessageEvent: "EmailMessage",
  CallLogPost: "Task",
  ActivityEvent: "Task",
};

/**
 * The types of posts that Salesforce makes without any text. The Object Reference calls one CreatedRecordEvent, the
 * Connect API CreateRecordEvent.
 */
export const NOTICES = [
  "TrackedChange",
  "CreatedRecordEvent",
  "CreateRecordEvent",
  "MilestoneEvent",
  "AttachArticleEvent",
];

/** The types of posts that have a text or not. */
const MAYBE_NOTICES = ["ChangeStatusPost"];

/** Above this number all of them count as notices: an analysis must not load the org noticeably. */
const MAX_READ = 10_000;

const PAGE_RECORDS = 500;

/** Posts that show records which are imported themselves. */
export async function countMirrors(facts: Facts): Promise<number | null> {
  return countTypes(facts, typesShowing(facts, true));
}

/** Posts without content. SOQL cannot filter by Body either, so the posts that may have a text are read. */
export async function countNotices(facts: Facts): Promise<number | null> {
  const unsure = [...MAYBE_NOTICES, ...typesShowing(facts, false)];
  const [empty, maybe] = [await countTypes(facts, NOTICES), await countTypes(facts, unsure)];
  if (empty === null || maybe === null) return null;
  if (maybe === 0 || maybe > MAX_READ) return empty + maybe;
  const read = await answerWithin((signal) => readNotices(facts, unsure, signal), PAGES_TIMEOUT_MS);
  return read === null ? null : empty + read;
}

/** The types of posts that show records which are imported, or are not. */
export function typesShowing(facts: Seen, imported: boolean): string[] {
  return Object.keys(SHOWING).filter((type) => {
    const object = SHOWING[type];
    return object !== undefined && isImportable(facts, object) === imported;
  });
}

/** SOQL: posts of these types. */
export function ofTypes(types: readonly string[]): string {
  return soqlIn("Type", types);
}

async function countTypes(facts: Facts, types: readonly string[]): Promise<number | null> {
  if (types.length === 0 || !canSeeField(facts, "FeedItem", "Type")) return 0;
  return countRecords(facts.client, "FeedItem", [ofTypes(types)]);
}

async function readNotices(facts: Facts, types: readonly string[], signal: AbortSignal): Promise<number> {
  const fields = ["Id", "Type", "Body", "Title", "LinkUrl", "RelatedRecordId", "HasContent"];
  const pages = readByKeyset(facts.client, {
    from: "FeedItem",
    fields: fields.filter((name) => name === "Id" || canSeeField(facts, "FeedItem", name)),
    where: ["IsDeleted = false", ...migratedOf("FeedItem"), ofTypes(types)],
    after: null,
    all: true,
    size: { records: PAGE_RECORDS },
    signal,
  });
  let notices = 0;
  for await (const page of pages) notices += page.filter((post) => noticeOfPost(post) !== null).length;
  return notices;
}
