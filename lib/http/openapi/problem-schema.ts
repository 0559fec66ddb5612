import { FAULT_CODES } from "@/lib/errors";
import type { JsonSchema } from "@/lib/http/openapi/json-schema";
import { PROBLEMS, problemType } from "@/lib/http/problem";

const REQUEST_ID = "019e01aa-5280-7f58-b914-5b24d108d7ac";

/** The schema of a problem as `lib/http/problem.ts` writes it (RFC 9457). */
export function problemSchema(): JsonSchema {
  return {
    type: "object",
    description:
      "Why a request was refused (RFC 9457). `code` is for programs and never changes; `detail` is for people.",
    required: ["type", "title", "status", "detail", "code", "request_id"],
    properties: {
      type: { type: "string", format: "uri", description: "The page that explains the code." },
      title: { type: "string", description: "The code in a few words." },
      status: { type: "integer", minimum: 400, maximum: 599 },
      detail: { type: "string", description: "What is wrong with this request, and how to mend it." },
      code: {
        type: "string",
        enum: Object.keys(PROBLEMS),
        description: "What is wrong, for programs. This list may grow.",
      },
      request_id: { type: "string", format: "uuid", description: "Also in the header `x-request-id`." },
      records: {
        type: "object",
        additionalProperties: { type: "string", format: "uuid" },
        description:
          "Ids of records to go on with, by what each is, as in a repeated conversion: `account_id`, `contact_id`, " +
          "`opportunity_id`.",
      },
      deletion: DELETION,
      errors: { type: "array", description: "Every fault that was found, up to a hundred.", items: FAULT },
    },
    examples: [problemExample()],
  };
}

const DELETION: JsonSchema = {
  type: "object",
  required: ["name", "deleted_at", "deleted_by_id", "migration_id", "restorable_until", "is_part", "belongs_to"],
  description: "In place of a deleted record that can still be restored: what is known of its deletion.",
  properties: {
    name: { type: "string", description: "What the record was called, at most 200 characters." },
    deleted_at: { type: "string", format: "date-time" },
    deleted_by_id: { type: "string", format: "uuid", description: "The user who deleted it." },
    migration_id: {
      type: ["string", "null"],
      format: "uuid",
      description: "The migration that deleted it; null: somebody deleted it here. It needs the scope crm:read.",
    },
    restorable_until: { type: "string", format: "date-time" },
    is_part: {
      type: "boolean",
      description: "It was deleted with the record that it belongs to, and is restored with that one only.",
    },
    belongs_to: {
      type: ["object", "null"],
      required: ["resource", "id"],
      description:
        "The deleted record that it belongs to, which is to be restored first. null: it can be restored by itself.",
      properties: { resource: { type: "string" }, id: { type: "string", format: "uuid" } },
    },
  },
};

const FAULT: JsonSchema = {
  type: "object",
  required: ["pointer", "code", "detail"],
  properties: {
    pointer: {
      type: "string",
      description: "Where: a JSON pointer into the body (RFC 6901), or `?name` for a parameter.",
    },
    code: {
      type: "string",
      enum: [...new Set([...Object.keys(FAULT_CODES), ...Object.keys(PROBLEMS)])],
      description:
        "What is wrong; where a whole value or item is refused, the code of that problem. This list may grow.",
    },
    detail: { type: "string", description: "A sentence for people: what is wrong here, and how to mend it." },
  },
};

/** An example of a problem. */
export function problemExample() {
  const detail = "`limit` must be a whole number from 1 to 200.";
  return {
    type: problemType("invalid_parameter"),
    title: PROBLEMS.invalid_parameter.title,
    status: PROBLEMS.invalid_parameter.status,
    detail,
    code: "invalid_parameter",
    request_id: REQUEST_ID,
    errors: [{ pointer: "?limit", code: "invalid_parameter", detail }],
  };
}
