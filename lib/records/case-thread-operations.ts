import { z } from "zod";

import { pathId } from "@/lib/id-input";
import { isId } from "@/lib/ids";
import { defineOperation, JsonText } from "@/lib/operation";
import { pageInput, pageOutput } from "@/lib/page";
import { listThread } from "@/lib/records/case-thread";
import { createRecords } from "@/lib/records/create-record";
import { caseComment } from "@/lib/records/entities/case-comment";
import { supportCase } from "@/lib/records/entities/case";
import { noSuchRecord } from "@/lib/records/get-record";
import { createInput } from "@/lib/records/write-input";
import { retriedTransaction } from "@/lib/retried-transaction";

export const listCommentsOfCase = defineOperation({
  name: "list_comments_of_case",
  summary: "List the comments of one case in the order of its thread, the first one first.",
  scopes: supportCase.readScopes,
  input: z.strictObject({
    id: pathId("case"),
    ...pageInput,
  }),
  output: pageOutput(caseComment.output),
  run: async (context, { id, limit, cursor }) => {
    if (!isId(id)) throw noSuchRecord(supportCase);
    return listThread(context.organizationId, id, limit, cursor);
  },
});

export const createCommentOfCase = defineOperation({
  name: "create_comment_of_case",
  summary: "Add a comment to the end of one case's thread.",
  scopes: ["crm:write"],
  stores: true,
  createsIn: caseComment.resource,
  input: z.strictObject({ ...withoutCase(), id: pathId("case") }),
  output: caseComment.output,
  run: (context, { id, ...given }) => {
    if (!isId(id)) throw noSuchRecord(supportCase);
    return retriedTransaction(async (client) => {
      const { rowCount } = await client.query("SELECT FROM cases WHERE organization_id = $1 AND id = $2 FOR KEY SHARE", [context.organizationId, id]);
      if (rowCount === 0) throw noSuchRecord(supportCase);
      const [created] = await createRecords(client, caseComment, context, [{ ...given, case_id: id }]);
      return new JsonText(created?.json ?? "null");
    });
  },
});

/** The path names the case. */
function withoutCase(): Record<never, z.ZodType> {
  const { case_id: _, ...fields } = createInput(caseComment).shape as Record<string, z.ZodType>;
  return fields;
}
