import { exact, likely, type SourceObject, textOf } from "@/lib/migration/objects/declaration";

export const caseComment: SourceObject = {
  name: "CaseComment",
  label: "case comment",
  resource: "case_comments",
  fields: {
    ParentId: exact("case_id"),
    CommentBody: exact("body"),
    IsPublished: exact("is_public"),
  },
  ruled: {
    CreatedById: likely("author_id", "Matched to a member of the organization by e-mail; the name is kept as author_name."),
  },
  placeholders: { body: "(no text)" },
  sets: ["author_id", "author_name", "kind"],
  leftOut: [],
  refine(record, draft, people) {
    const author = textOf(record, "CreatedById");
    draft.columns.kind = "comment";
    draft.columns.author_id = author && people.memberOf(author);
    draft.columns.author_name = author && people.nameOf(author);
    if (author) draft.customFields.CreatedById = author;
  },
};
