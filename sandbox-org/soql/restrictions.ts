import type { Table } from "../data/table";
import { RUNNING_USER } from "../generator/owners";
import { idOf } from "../generator/references";
import type { Json } from "../schema/field";
import { malformed } from "../server/api-error";
import { isAggregate, type Condition, type Query } from "./ast";
import type { Test } from "./predicate";
import type { Scope } from "./resolve";

const FEEDS = new Set(["FeedItem", "FeedComment"]);
const HARD_DELETED = new Set([...FEEDS, "OpportunityLineItem", "OpportunityContactRole", "PricebookEntry"]);
const MAX_FEED_ROWS = 1000;
/** The status of an e-mail that was not sent yet. */
const DRAFT = "5";

function conjuncts(condition: Condition | null): readonly Condition[] {
  if (condition === null) return [];
  return condition.kind === "and" ? condition.parts.flatMap(conjuncts) : [condition];
}

/** Whether the query names records by one of these fields, with `=` or IN. */
function isFilteredBy(query: Query, fields: readonly string[]): boolean {
  return conjuncts(query.where).some(
    (condition) =>
      condition.kind === "comparison" &&
      !isAggregate(condition.field) &&
      fields.includes(condition.field.path.join(".").toLowerCase()) &&
      (condition.operator === "=" || condition.operator === "IN"),
  );
}

function isPermitted({ database }: Scope, permission: string): boolean {
  const table = database.table("UserPermissionAccess");
  const field = table?.field(`Permissions${permission}`);
  return !table || !field || table.read(field, 0) !== false;
}

/** A bare COUNT() is none. */
function hasAggregates({ select, groupBy }: Query): boolean {
  return groupBy.length > 0 || select.some((item) => item.kind === "aggregate" && item.aggregate.of !== null);
}

/**
 * Whether what is deleted goes to no recycle bin, where queryAll would find it (Object Reference, FeedItem,
 * OpportunityLineItem, OpportunityContactRole and PricebookEntry).
 */
export function isHardDeleted(object: string): boolean {
  return HARD_DELETED.has(object);
}

/**
 * Whether a query reads the recycle bin and the archive of an object: queryAll does, and with attachments also the
 * `query` of an administrator (Object Reference, Attachment, "Usage").
 */
export function readsAll(scope: Scope, { name }: Table): boolean {
  if (isHardDeleted(name)) return false;
  return scope.all || (name === "Attachment" && isPermitted(scope, "ModifyAllData"));
}

/** Refuses feeds to users without View All Data (Object Reference, FeedItem and FeedComment, "Usage"). */
function assertFeedAllowed(scope: Scope, query: Query, object: string): void {
  if (object === "FeedComment" && !isPermitted(scope, "ViewAllData"))
    throw malformed("Implementation restriction: FeedComment requires the permission View All Data");
  const isLimited = query.limit !== null && query.limit <= MAX_FEED_ROWS;
  if (object === "FeedItem" && !isLimited && !isPermitted(scope, "ViewAllData")) {
    throw malformed(
      `Implementation restriction: FeedItem requires a LIMIT of ${MAX_FEED_ROWS} or fewer, unless the user has ` +
        "the permission View All Data",
    );
  }
}

/**
 * The records of an object that the user may see. Users without Modify All Data see no attachments of e-mails, and no
 * drafts on cases that others wrote (Object Reference, Attachment, "Usage", and EmailMessage, "Special Access Rules").
 */
export function shownOf(scope: Scope, table: Table): Test {
  const isLimited = table.name === "Attachment" || table.name === "EmailMessage";
  if (!isLimited || isPermitted(scope, "ModifyAllData")) return () => true;
  const valueOf = (name: string, ordinal: number): Json => {
    const field = table.field(name);
    return field ? table.read(field, ordinal) : null;
  };
  if (table.name === "Attachment")
    return (ordinal) => scope.database.tableOfId(String(valueOf("ParentId", ordinal)))?.name !== "EmailMessage";
  const user = idOf(scope.database.org, "User", RUNNING_USER);
  return (ordinal) =>
    valueOf("Status", ordinal) !== DRAFT ||
    valueOf("ParentId", ordinal) === null ||
    valueOf("CreatedById", ordinal) === user;
}

/** Refuses what Salesforce refuses for single objects (SOQL and SOSL Reference, "SOQL Limits on Objects"). */
export function assertUnrestricted(scope: Scope, query: Query, object: string): void {
  if (object === "ContentDocumentLink" && !isFilteredBy(query, ["id", "contentdocumentid", "linkedentityid"])) {
    throw malformed(
      "Implementation restriction: ContentDocumentLink requires a filter by a single Id on ContentDocumentId or " +
        "LinkedEntityId using the equals operator or multiple Id's using the IN operator.",
    );
  }
  if (object === "FeedItem" && hasAggregates(query))
    throw malformed("Implementation restriction: FeedItem does not support aggregate functions");
  assertFeedAllowed(scope, query, object);
}
