import type { Draft } from "@/tests/service/fuzz/support/draft";
import type { Fault, Problem } from "@/tests/service/fuzz/support/problem";

/**
 * Why a request that is valid by its schema may be refused: what the document describes in words, or cannot describe.
 */
interface Rule {
  why: string;
  /** Codes of problems that the rule explains. */
  codes?: readonly string[];
  /** Whether the rule explains one fault of an `invalid_request`. */
  explains?: (fault: Fault, draft: Draft) => boolean;
  /** Whether the rule explains the whole refusal. */
  applies?: (problem: Problem, draft: Draft) => boolean;
}

const CONNECTING = new Set(["analyze_migration", "reconnect_migration"]);

const MEBIBYTE = 1024 * 1024;

const RULES: readonly Rule[] = [
  {
    why: "the state of things: a lead that is converted, a key that is in use, a version that has passed",
    codes: ["conflict", "illegal_state", "precondition_failed", "idempotency_key_in_use", "idempotency_key_reused"],
    // Refused items of a batch, possibly of several kinds.
    explains: ({ code }) => ["conflict", "converted", "precondition_failed", "taken"].includes(code),
  },
  {
    why: "a status that an action sets",
    explains: ({ code, pointer }) => code === "use_action" && pointer.endsWith("/status"),
  },
  {
    why: "an upsert of a record that is not there yet, without all that a new one needs",
    explains: ({ pointer }, draft) => isMissingFromUpsert(pointer, draft),
  },
  {
    why: "a conversion into records that do not belong together, or of a lead without a company",
    explains: ({ code, pointer }, { operation }) =>
      operation.id === "convert_lead" && code === "invalid_value" && /^\/(?:account_name|contact_id)$/.test(pointer),
  },
  {
    why: "a body that has each part as long as may be, and is too long as a whole",
    applies: ({ code }, { body }) => code === "payload_too_large" && Buffer.byteLength(JSON.stringify(body)) > MEBIBYTE,
  },
  {
    why: "a connection that is not there, or one beside an address",
    explains: ({ pointer }, { operation }) => operation.id === "reconnect_migration" && pointer === "",
    applies: ({ code }, { operation }) => CONNECTING.has(operation.id) && code === "not_found",
  },
  {
    why: "a phase that no selected object is in",
    explains: ({ pointer }, { operation }) => operation.id === "run_migration" && pointer === "/phase",
  },
  {
    why: "choices that depend on the org: its report names the fields, links and people, not the document",
    explains: ({ pointer }, { operation }) =>
      operation.path.startsWith("/migration") && /\/(?:duplicates|relationships|owners)(?:\/|$)/.test(pointer),
  },
  {
    why: "objects that a file of another service names, and that this one does not import",
    explains: ({ pointer, code }, { operation }) =>
      operation.id === "import_migration_configuration" && code === "not_selectable" && pointer.includes("/objects/"),
  },
  {
    why: "people of Salesforce by ids of other things, or with nothing but spaces for a name",
    explains: ({ pointer }, { operation }) =>
      operation.id === "make_inactive_members" && /^\/users\/\d+\/(?:id|name)$/.test(pointer),
  },
  {
    why: "a proof that nobody requested, and a report to compare with that is not there",
    applies: ({ code }, { operation }) =>
      code === "not_found" && ["get_migration_proof", "check_migration_configuration"].includes(operation.id),
  },
  {
    why: "a file without a content: only migrations store those",
    applies: ({ code }, { operation }) => code === "not_found" && operation.id === "download_file",
  },
  {
    why: "more downloads of lists at once than an organization may have",
    applies: ({ code, detail }) => code === "too_many_requests" && /downloads of lists/.test(detail),
  },
  {
    why: "a connection to disconnect that is not there",
    applies: ({ code }, { operation }) =>
      operation.path === "/migration/connections/{connection_id}/disconnect" && code === "not_found",
  },
  {
    why: "a cursor of another list, where its place has to be looked up",
    applies: ({ code }, { operation }) =>
      code === "invalid_cursor" &&
      ["list_events", "list_comments_of_case", "list_deleted_records"].includes(operation.id),
  },
  {
    why: "a webhook whose secret is sent, and is to be generated too",
    explains: ({ code, pointer }, { operation }) =>
      operation.id === "create_webhook" && code === "invalid_value" && pointer === "/generate_secret",
  },
  { why: "a service that Salesforce does not know", codes: ["source_sign_in_not_set_up"] },
  { why: "two items of a batch about the same record", explains: ({ code }) => code === "repeated_item" },
  {
    why: "custom fields that have become too many, merged by name",
    explains: ({ code, pointer }) => code === "too_long" && pointer.endsWith("/custom_fields"),
  },
  {
    why: "a record that would get above itself",
    explains: ({ code, pointer }) =>
      code === "invalid_value" && /\/(?:parent_account_id|reports_to_id|parent_case_id)$/.test(pointer),
  },
];

/** Whether the pointer is a field that an upsert, or one in a batch, left out. */
function isMissingFromUpsert(pointer: string, { operation, body }: Draft): boolean {
  const [, index, field = ""] = /^\/items\/(\d+)\/data\/(\w+)$/.exec(pointer) ?? [];
  if (index === undefined) return operation.id.startsWith("upsert_") && !(pointer.slice(1) in (body as object));
  const item = (body as { items: { action: string; data: object }[] }).items[Number(index)];
  return item?.action === "upsert" && !(field in item.data);
}

/** The rules that explain a refusal. Empty if any part of it remains unexplained. */
export function rulesBehind(draft: Draft, problem: Problem): string[] {
  const whole = RULES.find(({ codes, applies }) => codes?.includes(problem.code) || applies?.(problem, draft));
  if (whole) return [whole.why];
  const { errors = [] } = problem;
  const behind = errors.map((fault) => RULES.find(({ explains }) => explains?.(fault, draft))?.why);
  return behind.length > 0 && behind.every((why) => why !== undefined) ? [...new Set(behind)] : [];
}
