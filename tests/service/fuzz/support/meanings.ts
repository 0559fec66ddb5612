import * as fc from "fast-check";

import type { ApiDocument, ApiOperation, ApiParameter } from "@/tests/service/fuzz/support/document";
import { type Trap, UNSTORABLE } from "@/tests/service/fuzz/support/broken-value";
import type { Meaning } from "@/tests/service/fuzz/support/schema-arbitrary";
import { webhookMeaning, webhookTrap } from "@/tests/service/fuzz/support/webhook-meanings";
import { RESOURCES, type Fixtures } from "@/tests/service/fuzz/support/fixtures";

/** What the names in requests of one operation mean. */
export interface Meanings {
  /** Bodies to send more often than the schema would generate them. */
  body: fc.Arbitrary<unknown> | undefined;
  meaning: Meaning;
  trap: Trap;
  /** Values of a query's parameters that the schema leaves open: those that are right, and some that are wrong. */
  query: (parameter: ApiParameter) => { right: fc.Arbitrary<string>; wrong: readonly string[] } | undefined;
}

const REFERENCES: Record<string, string> = {
  account_id: "accounts",
  parent_account_id: "accounts",
  converted_account_id: "accounts",
  contact_id: "contacts",
  reports_to_id: "contacts",
  converted_contact_id: "contacts",
  case_id: "cases",
  parent_case_id: "cases",
  opportunity_id: "opportunities",
  converted_opportunity_id: "opportunities",
  lead_id: "leads",
};
const USERS = new Set(["owner_id", "author_id"]);
const MONEY = new Set(["amount", "annual_revenue", "unit_price"]);
const EMAILS = new Set(["email", "supplied_email"]);
const UNIQUE = new Set(["ext_id", "sku"]);

/** The resource at the beginning of an operation's path. */
export function resourceOf({ path }: ApiOperation): string {
  return path.split("/")[1] ?? "";
}

export function meaningsOf(operation: ApiOperation, document: ApiDocument, fixtures: Fixtures): Meanings {
  const resource = resourceOf(operation);
  const { pools, userIds, foreignUserId, sandboxOrg, migrationIds } = fixtures;
  const idsOf = (name: string): readonly string[] | undefined => {
    if (USERS.has(name)) return userIds;
    if (name === "migration_id") return migrationIds;
    return pools[name === "id" ? resource : (REFERENCES[name] ?? "")]?.permanent;
  };
  const foreignTo = (name: string) =>
    USERS.has(name) ? [foreignUserId] : (pools[name === "id" ? resource : (REFERENCES[name] ?? "")]?.foreign ?? []);
  const meaning: Meaning = (name, schema) => {
    const ids = schema.format === "uuid" ? idsOf(name) : undefined;
    if (ids) return fc.oneof(fc.constantFrom(...ids), fc.constantFrom(...ids.map((id) => id.toUpperCase())));
    if (name === "ext_instance_url" || name === "ext_access_token") return fc.constant(sandboxOrg[name]);
    // The fields and values that can be chosen depend on the org. They are in the report, not in the document.
    if (resource === "migration" && (name === "fields" || name === "values") && schema.type !== "array")
      return fc.constant({});
    return resource === "webhooks" ? webhookMeaning(name, fixtures) : ofField(name);
  };
  const trap: Trap = (name) => {
    const random = "019cadd3-7fc0-7af2-9132-9b2fc82e5efe";
    if (resource === "webhooks") return webhookTrap(name);
    if (idsOf(name)) return [random, ...foreignTo(name)];
    if (MONEY.has(name)) return [0.001, 70_000_000_000_000.02, -1e15, 1e21];
    // The file of choices names members for whoever reads it.
    if (operation.id === "import_migration_configuration") return [];
    return EMAILS.has(name) ? ["ada", "ada@", "@example.com", "ada@example.com\n", "a b@example.com"] : [];
  };
  const body = operation.id === "analyze_migration" ? fc.constant(sandboxOrg) : undefined;
  return {
    body,
    meaning,
    trap,
    query: (parameter) =>
      QUERY[parameter.name]?.(parameter, operation, document, fixtures) ?? idQuery(parameter, meaning, foreignTo),
  };
}

const cents = fc.integer({ min: -7e15, max: 7e15 }).map((number) => number / 100);
const emailAddress = fc.emailAddress().filter((email) => email.length <= 255);
/** Usually a text that no other record has. */
const uniqueText = fc.oneof(
  { weight: 9, arbitrary: fc.uuid().map((uuid) => `fuzz-${uuid}`) },
  { weight: 1, arbitrary: fc.constantFrom("taken-1", "taken-2", "__proto__") },
);

function ofField(name: string): fc.Arbitrary<unknown> | undefined {
  if (MONEY.has(name)) return cents;
  if (name === "if_match") return fc.constantFrom(1, 2);
  if (EMAILS.has(name)) return emailAddress;
  return UNIQUE.has(name) ? uniqueText : undefined;
}

/** A list can be filtered by any id. Ids that do not exist, or are of another organization, give an empty page. */
function idQuery({ name, schema }: ApiParameter, meaning: Meaning, foreignTo: (name: string) => readonly string[]) {
  const own = schema.format === "uuid" ? meaning(name, schema) : undefined;
  if (!own) return undefined;
  const foreign = foreignTo(name).map((id) => fc.constant(id));
  return {
    right: fc.oneof(own as fc.Arbitrary<string>, ...foreign, fc.uuid({ version: 7 })),
    wrong: [],
  };
}

type QueryMeaning = (
  parameter: ApiParameter,
  operation: ApiOperation,
  document: ApiDocument,
  fixtures: Fixtures,
) => { right: fc.Arbitrary<string>; wrong: readonly string[] } | undefined;

const TIMES = [
  ["2026-01-01T00:00:00Z", "2026-12-31T23:59:59.999+14:00", "9999-12-31T23:59:59.999Z", "1969-07-20T20:17:40-04:00"],
  ["0001-01-01T00:00:00Z", "2026-11-21T00:00:00.0000001Z"],
].flat();
const DATES = ["2026-01-01", "9999-12-31", "0001-01-01"];
const NO_TIMES = [
  [
    "",
    "2026",
    "2026-02-30",
    "10000-01-01",
    "0000-01-01",
    "2026-01-01T00:00:00",
    "2026-01-01T00:00:00 02:00",
    "now",
    "1767225600",
    "\0",
  ],
].flat();

const time: QueryMeaning = (_parameter, { id }) => ({
  right: fc.constantFrom(...TIMES, ...(id === "list_events" ? [] : DATES)),
  wrong: NO_TIMES,
});

function listed(names: readonly string[]) {
  return fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 5 }).map((chosen) => chosen.join(","));
}

const QUERY: Record<string, QueryMeaning> = {
  "created_at[gt]": time,
  "created_at[gte]": time,
  "created_at[lt]": time,
  "created_at[lte]": time,
  "updated_at[gt]": time,
  "updated_at[gte]": time,
  "updated_at[lt]": time,
  "updated_at[lte]": time,
  cursor: (_parameter, operation, _document, { pools, cursors }) => ({
    right: fc.constantFrom(
      ...(cursors[operation.id] ?? pools[resourceOf(operation)]?.cursors ?? ["019cadd3-7fc0-7af2-9132-9b2fc82e5efe"]),
    ),
    wrong: [
      "",
      "x",
      "0",
      "MTIz",
      "OTk5OTk5OTk5OTk5OTk5OTk5OTk5LjAxOWNhZGQz",
      "null",
      "019cadd3-7fc0-4af2-9132-9b2fc82e5efe",
      "%00",
      "a".repeat(300),
      ...UNSTORABLE.slice(0, 2),
    ],
  }),
  owner_id: (_parameter, _operation, _document, { userIds, foreignUserId }) => ({
    right: fc.constantFrom("me", foreignUserId, ...userIds),
    wrong: ["", "x", "mine", "7d444840-9dc0-11d1-b245-5ffdce74fad2", "\0"],
  }),
  fields: (_parameter, operation, { schemas }) => {
    return {
      right: listed(Object.keys(schemas[recordName(operation)]?.properties ?? { id: {} })),
      wrong: ["", ",", "name;id", "no_such", "id,", "organization_id", "id,__proto__", "*", "\0"],
    };
  },
  // The document names them only in its description.
  expand: ({ description = "" }) => ({
    right: listed((description.split(": ")[1] ?? "owner").replace(/\.$/, "").split(", ")),
    wrong: ["", "name", "organization", "owner.accounts", "constructor", "\0"],
  }),
  // The document names them only in its description.
  objects: ({ description = "" }) => ({
    right: listed((/: ([\w, ]+)\./.exec(description)?.[1] ?? "accounts").split(", ")),
    wrong: ["", ",", "account", "users", "accounts;leads", "__proto__", "\0"],
  }),
  q: (_, { id }) => ({
    right: fc
      .oneof(
        fc.constantFrom("oven", "fells bak", "o'brien & 1", "(((", "a:*", "ü", "語"),
        fc.string({ unit: "grapheme", maxLength: 30 }),
      )
      .map((text) => (/[\p{L}\p{N}]/u.test(text) ? text.replaceAll("\0", "") : `${text}a`.replaceAll("\0", ""))),
    // Records are searched by words, users by any part of their name.
    wrong: ["", "a\0", "x".repeat(201), ...(id === "list_users" ? [] : [" ", "!?"])],
  }),
  event: () => ({
    right: fc.constantFrom("*", "case.*", "lead.converted", "account.created", "webhook.test"),
    wrong: ["", "case", "case.nothing", "cases.*", "case.*,lead.*", "__proto__", "\0"],
  }),
  type: (_parameter, operation) =>
    operation.id === "list_events"
      ? {
          right: fc.constantFrom("account.created", "case.*", "opportunity.stage_changed"),
          wrong: ["", "*", "account.nothing", "accounts.created", "__proto__"],
        }
      : undefined,
};

/** The schema component of the operation's records: "CaseComment". */
function recordName(operation: ApiOperation): string {
  const singular: Record<string, string> = { activities: "Activity", opportunities: "Opportunity" };
  const resource = resourceOf(operation);
  if (!RESOURCES.includes(resource)) throw new Error(`The fuzz test does not know what ${operation.id} lists.`);
  const words = resource.replace(/s$/, "").split("_");
  return singular[resource] ?? words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
}
