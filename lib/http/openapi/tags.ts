/** What the operations are grouped by: the first part of their path, and what to know of it before the first request. */
export const TAGS: Record<string, string> = {
  accounts: "Companies and other organizations that one does business with.",
  contacts: "People, mostly of an account.",
  cases: "What customers ask or complain about, from the first message until it is resolved.",
  case_comments: "The thread of a case: comments, and e-mails in both directions.",
  activities: "Tasks, events, calls, e-mails and notes, about any other record.",
  leads:
    "People who may become customers. A lead that does is converted into an account, a contact and perhaps an opportunity, and can only be read and deleted from then on.",
  opportunities: "Deals on their way through the stages of a sale.",
  products: "What is sold: the catalogue of the ERP. A token with `erp:read` alone reads it too.",
  migration: "Bringing the records of a Salesforce org here: connect and analyze it, read the report, configure, run, follow the progress.",
  webhooks:
    "Where events are sent as they happen, signed and tried again until they arrive, and what became of each. For admins. The field `events` names the types that are sent; `GET /events` tells of more kinds of records.",
  users: "The people of the organization. Each record has one of them as its owner, by `owner_id`.",
  events: "What has changed, in order: for clients that missed a webhook.",
};

export function tagOf(path: string): string {
  return path.split("/")[1] ?? "";
}

/** "case_comments" → "Case comments". */
export function titleOf(tag: string): string {
  const words = tag.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
