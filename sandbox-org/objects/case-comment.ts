import { auditFields, idField } from "../generator/audit";
import { Dice, type Value } from "../generator/dice";
import { idOf } from "../generator/references";
import { COMMENT_THREAD, sentAt, threadPlace } from "../generator/threads";
import { field } from "../schema/field";
import { caseOpened } from "./case";
import { generated } from "./generated";

const dice = new Dice("CaseComment");

export const commentWritten: Value<number> = (org, n) => {
  const { caseOrdinal, rank } = threadPlace(org, COMMENT_THREAD, n, org.total.CaseComment);
  return sentAt(org, COMMENT_THREAD, n, rank, caseOpened(org, caseOrdinal));
};

export const caseComment = generated(
  "CaseComment",
  [
    idField("CaseComment", "Case Comment ID"),
    field(
      "reference",
      "ParentId",
      (org, n) => idOf(org, "Case", threadPlace(org, COMMENT_THREAD, n, org.total.CaseComment).caseOrdinal),
      {
        label: "Parent ID",
        nillable: false,
        updateable: false,
        referenceTo: ["Case"],
        cascadeDelete: true,
      },
    ),
    field("boolean", "IsPublished", dice.chance("IsPublished", 550), { label: "Published" }),
    field("textarea", "CommentBody", dice.maybe("CommentBody", 990, dice.text("CommentBody", 4000)), {
      label: "Body",
      length: 4000,
    }),
    ...auditFields("CaseComment", commentWritten),
  ],
  { label: "Case Comment", searchable: false, layoutable: false },
);
