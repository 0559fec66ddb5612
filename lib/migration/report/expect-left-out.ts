import type { SourceObjectName } from "@/lib/migration/objects/source-object-names";
import { readByKeyset } from "@/lib/migration/pipeline/read/read-by-keyset";
import { IDS_PER_QUERY } from "@/lib/migration/pipeline/read/read-by-ids";
import { patternsWithOccurrences } from "@/lib/migration/pipeline/read/related-records";
import { copiesOfEmails, emailsWithoutCase, WITHOUT_CASE } from "@/lib/migration/report/expect-in-emails";
import { countMirrors, countNotices } from "@/lib/migration/report/expect-in-feeds";
import { type ReportFacts, canSeeField, isImportable } from "@/lib/migration/report/facts";
import { answerWithin, PAGES_TIMEOUT_MS } from "@/lib/migration/report/answer-within";
import { countRecords } from "@/lib/migration/report/survey";
import type { LeftOut, LeftOutByObject } from "@/lib/migration/report/wording";

type Facts = Pick<ReportFacts, "client" | "survey" | "mappings">;

interface Expectation extends Omit<LeftOut, "count"> {
  object: SourceObjectName;
  /** Null if the source refuses the count. */
  count: (facts: Facts) => Promise<number | null>;
}

const NONE = Promise.resolve(0);

/** Above this number all patterns count as having occurrences: an analysis must not load the org noticeably. */
const MAX_PATTERNS = 10_000;

const EXPECTATIONS: readonly Expectation[] = [
  { object: "CaseComment", outcome: "failed", code: "missing_parent", count: commentsWithoutCase },
  { object: "EmailMessage", outcome: "failed", code: "missing_parent", count: emailsWithoutCase },
  { object: "Task", outcome: "skipped", code: "mirrored_by_email", count: copiesOfEmails },
  {
    object: "Task",
    outcome: "skipped",
    code: "recurrence_series",
    count: (facts) => seriesWithOccurrences(facts, "Task"),
  },
  {
    object: "Event",
    outcome: "skipped",
    code: "recurrence_series",
    count: (facts) => seriesWithOccurrences(facts, "Event"),
  },
  { object: "Event", outcome: "skipped", code: "invitee_copy", count: inviteeCopies },
  { object: "FeedItem", outcome: "skipped", code: "mirrored_in_feed", count: countMirrors },
  { object: "FeedItem", outcome: "skipped", code: "feed_notice", count: countNotices },
];

/**
 * The records that a run with the defaults is expected to leave out, by issue code. They are counted in the source by
 * the rules of the import.
 */
export async function expectLeftOut(facts: Facts): Promise<LeftOutByObject> {
  const expected: LeftOutByObject = {};
  for (const { object, count, ...reason } of EXPECTATIONS) {
    // If an object could not be counted, a part of it says nothing.
    if (!isImportable(facts, object) || facts.survey.objects.find(({ name }) => name === object)?.count === null)
      continue;
    const records = await count(facts);
    if (records !== 0) (expected[object] ??= []).push({ ...reason, count: records });
  }
  return expected;
}

function commentsWithoutCase(facts: Facts): Promise<number | null> {
  return canSeeField(facts, "CaseComment", "ParentId")
    ? countRecords(facts.client, "CaseComment", [WITHOUT_CASE])
    : NONE;
}

/** Patterns of recurring series that have occurrences, which are imported instead. */
async function seriesWithOccurrences(facts: Facts, object: "Task" | "Event"): Promise<number | null> {
  const organizers = object === "Event" ? ["IsChild = false"] : [];
  if (!canSeeField(facts, object, "IsRecurrence") || (organizers.length > 0 && !canSeeField(facts, object, "IsChild")))
    return 0;
  const where = ["IsRecurrence = true", ...organizers];
  const patterns = await countRecords(facts.client, object, where);
  if (patterns === null || patterns === 0 || patterns > MAX_PATTERNS) return patterns;
  return answerWithin((signal) => countOccurring(facts, object, where, signal), PAGES_TIMEOUT_MS);
}

async function countOccurring(
  { client }: Facts,
  object: "Task" | "Event",
  where: readonly string[],
  signal: AbortSignal,
): Promise<number> {
  const notDeleted = "IsDeleted = false";
  const size = { records: IDS_PER_QUERY };
  let found = 0;
  for await (const page of readByKeyset(client, {
    from: object,
    fields: ["Id"],
    where: [...where, notDeleted],
    after: null,
    all: true,
    size,
    signal,
  })) {
    const ids = page.map(({ Id }) => String(Id));
    found += (await patternsWithOccurrences(client, object, ids, [notDeleted], signal)).length;
  }
  return found;
}

function inviteeCopies(facts: Facts): Promise<number | null> {
  return canSeeField(facts, "Event", "IsChild") ? countRecords(facts.client, "Event", ["IsChild = true"]) : NONE;
}
