import { type Scope, SCOPES } from "@/lib/context";

const RECORDS = "accounts, contacts, cases, case comments, activities, leads, opportunities and products";

const PEOPLE = "See the names, e-mail addresses and roles of the members of your organization";

const SCOPE_DESCRIPTIONS: Record<Scope, readonly string[]> = {
  "crm:read": [
    `Read ${RECORDS}, and download their files`,
    PEOPLE,
    "Read the reports of migrations, which contain sample values of the Salesforce org",
  ],
  "crm:write": [
    `Read and change ${RECORDS}, delete and restore them, and download their files`,
    PEOPLE,
    "Connect and disconnect Salesforce orgs, read the reports of migrations with their sample values, and start " +
      "migrations, which create, change and delete records",
  ],
  "erp:read": ["Read products with their names, SKUs and prices, and no other records"],
};

/** What a client can do in addition when it acts for an admin. */
const ADMIN_SCOPE_DESCRIPTIONS: Record<Scope, readonly string[]> = {
  "crm:read": ["See the webhooks of your organization, with the addresses that they send to"],
  "crm:write": [
    "Create, change and delete webhooks, which send the records of your organization to addresses of its choice " +
      "for as long as it has access",
    "Undo migrations, which deletes for good what they created",
    "Add users of a Salesforce org as members who cannot sign in until an admin invites them",
  ],
  "erp:read": [],
};

/** Scope → those that let a client do all that it does, and more. */
const IMPLIED_BY: Record<Scope, readonly Scope[]> = {
  "crm:read": ["crm:write"],
  "crm:write": [],
  "erp:read": ["crm:read", "crm:write"],
};

/**
 * What `scopes` let a client do for a person with that role, in words for the consent page. A scope that another one
 * implies is left out.
 */
export function describeScopes(scopes: readonly Scope[], role: "admin" | "member"): string[] {
  const needed = scopes.filter((scope) => !IMPLIED_BY[scope].some((other) => scopes.includes(other)));
  return needed.flatMap((scope) => [
    ...SCOPE_DESCRIPTIONS[scope],
    ...(role === "admin" ? ADMIN_SCOPE_DESCRIPTIONS[scope] : []),
  ]);
}

function isScope(value: string): value is Scope {
  return (SCOPES as readonly string[]).includes(value);
}

/**
 * Splits a `scope` parameter (RFC 6749 §3.3) into scopes, each once and in our order. Null if one of its words is not a
 * scope of ours.
 */
export function parseScope(parameter: string): Scope[] | null {
  const words = parameter.split(" ");
  return words.every(isScope) ? SCOPES.filter((scope) => words.includes(scope)) : null;
}
