import { type Expectation, expectRecord } from "@/tests/service/expected/expectation";
import type { SourceWorld } from "@/tests/service/expected/source-world";
import type { SourceRecord } from "@/tests/service/support/source-org";

/** Case comments have no owner; who wrote one is who created it. */
export function expectCaseComment(source: SourceRecord, world: SourceWorld): Expectation {
  if (!world.cases.has(String(source.ParentId))) return { outcome: "failed", codes: ["missing_parent"] };
  return expectRecord("case_comments", source, world, {
    copied: { is_public: "IsPublished" },
    links: { case_id: "ParentId" },
    worked: {
      body: source.CommentBody ?? "(no text)",
      kind: "comment",
      author_name: world.names.get(String(source.CreatedById)) ?? null,
      author_id: null,
    },
    carried: ["CommentBody"],
  });
}
