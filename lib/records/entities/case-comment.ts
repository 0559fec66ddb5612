import { case_comment_kind } from "@/lib/generated/prisma/enums";
import { defineEntity } from "@/lib/records/schema/entity";
import {
  boolean,
  defaulted,
  enumeration,
  integer,
  issued,
  longText,
  reference,
  required,
  text,
  userReference,
} from "@/lib/records/schema/field";

export const caseComment = defineEntity({
  resource: "case_comments",
  label: "case comment",
  fields: {
    case_id: required(reference("cases")),
    body: required(longText()),
    is_public: defaulted(boolean(), false),
    author_name: text(),
    author_id: userReference(),
    kind: defaulted(enumeration("case_comment_kind", case_comment_kind), "comment"),
    position: issued(integer()),
  },
});
