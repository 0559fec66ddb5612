import type { SObject } from "../schema/sobject";
import { account } from "./account";
import { automationObjects } from "./automation";
import { emptyObjects } from "./empty-objects";
import { caseObject } from "./case";
import { caseComment } from "./case-comment";
import { product, project, vehicle } from "./catalog";
import { contact } from "./contact";
import { emailMessage } from "./email-message";
import { emailMessageRelation } from "./email-message-relation";
import { event } from "./event";
import { eventRelation } from "./event-relation";
import { feedComment, feedItem } from "./feed";
import { attachment, contentDocument, contentDocumentLink, contentVersion } from "./files";
import { group } from "./group";
import { lead } from "./lead";
import { opportunity } from "./opportunity";
import { opportunityContactRole, opportunityLineItem } from "./opportunity-parts";
import { pricebook, pricebookEntry } from "./price-book";
import { setupObjects } from "./setup";
import { task } from "./task";
import { toolingObjects } from "./tooling";
import { user } from "./user";

const dataObjects: readonly SObject[] = [
  account,
  contact,
  caseObject,
  caseComment,
  emailMessage,
  emailMessageRelation,
  feedItem,
  feedComment,
  task,
  event,
  eventRelation,
  lead,
  opportunity,
  opportunityLineItem,
  opportunityContactRole,
  product,
  pricebook,
  pricebookEntry,
  project,
  vehicle,
  user,
  group,
  attachment,
  contentVersion,
  contentDocument,
  contentDocumentLink,
  ...setupObjects,
  ...automationObjects,
  ...emptyObjects,
];

const byName = (objects: readonly SObject[]): ReadonlyMap<string, SObject> =>
  new Map(objects.map((object) => [object.name.toLowerCase(), object]));

/** Objects of the data API by lower-case name, because SOQL and paths are case-insensitive. */
export const DATA_OBJECTS = byName(dataObjects);
/** Objects of the tooling API. */
export const TOOLING_OBJECTS = byName(toolingObjects);

const BY_PREFIX = new Map(
  dataObjects.filter(({ keyPrefix }) => keyPrefix !== null).map((object) => [object.keyPrefix, object]),
);

/** The object of an id. */
export function objectOfId(id: string): SObject | undefined {
  return BY_PREFIX.get(id.slice(0, 3));
}
