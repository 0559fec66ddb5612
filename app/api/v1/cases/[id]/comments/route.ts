import { methods } from "@/app/api/v1/methods";
import { createCommentOfCase, listCommentsOfCase } from "@/lib/records/case-thread";

export const dynamic = "force-dynamic";

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: { operation: listCommentsOfCase },
  POST: { operation: createCommentOfCase, body: true },
});
