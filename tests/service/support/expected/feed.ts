import { type Expectation, expectRecord, type Sketch } from "@/tests/service/support/expected/expectation";
import type { SourceContext } from "@/tests/service/support/expected/source-context";
import { wordsOfHtml } from "@/tests/service/support/expected/words";
import type { SourceRecord } from "@/tests/service/support/source-org";

/** A post that shows another record, or nothing, is left out. Every other one is an entry of its case's thread. */
export function expectFeedItem(source: SourceRecord, context: SourceContext): Expectation {
  if (context.shown.has(source.RelatedRecordId)) return { outcome: "skipped", codes: ["mirrored_in_feed"] };
  const isFile = String(source.RelatedRecordId).startsWith("068");
  if (source.Body === null && source.LinkUrl === null && !isFile) return { outcome: "skipped", codes: ["feed_notice"] };
  const text = source.Body ?? source.Title ?? "(no text)";
  return entry(source, context, "Body", text, source.Visibility === "AllUsers");
}

/** A comment of a post is an entry of its own, as public as its post. */
export function expectFeedComment(source: SourceRecord, context: SourceContext): Expectation {
  const post = context.posts.get(String(source.FeedItemId));
  return entry(source, context, "CommentBody", source.CommentBody ?? "(no text)", post?.Visibility === "AllUsers");
}

function entry(
  source: SourceRecord,
  context: SourceContext,
  field: string,
  text: unknown,
  isPublic: boolean,
): Expectation {
  const isRich = source.IsRichText === true;
  const file = context.versions.get(String(source.RelatedRecordId));
  const sketch: Sketch = {
    copied: {},
    links: { case_id: "ParentId" },
    worked: {
      // Every item of a list gets a dash.
      body: isRich ? wordsOfHtml(String(text).replaceAll("<li>", "- ")) : text,
      kind: "comment",
      is_public: isPublic,
      author_name: context.names.get(String(source.CreatedById)) ?? null,
      author_id: null,
    },
    carried: ["Visibility", ...(isRich ? [] : [field])],
    ...(file && { added: { Attachments: [file] } }),
  };
  const expected = expectRecord("case_comments", source, context, sketch);
  return isRich ? { ...expected, inWords: ["body"] } : expected;
}
