import { type Expectation, expectRecord } from "@/tests/service/support/expected/expectation";
import type { SourceContext } from "@/tests/service/support/expected/source-context";
import type { SourceRecord } from "@/tests/service/support/source-org";

/** Case comments have no owner. Their author is the user who created them. */
export function expectCaseComment(source: SourceRecord, context: SourceContext): Expectation {
  if (!context.cases.has(String(source.ParentId))) return { outcome: "failed", codes: ["missing_parent"] };
  return expectRecord("case_comments", source, context, {
    copied: { is_public: "IsPublished" },
    links: { case_id: "ParentId" },
    worked: {
      body: source.CommentBody ?? "(no text)",
      kind: "comment",
      author_name: context.names.get(String(source.CreatedById)) ?? null,
      author_id: null,
    },
    carried: ["CommentBody"],
  });
}
