import { formatCount } from "@/lib/amounts";
import { isSourceObject } from "@/lib/migration/objects/source-object-names";
import { type RiskCheck, type ReportFacts, canSeeField } from "@/lib/migration/report/facts";
import type { Risk } from "@/lib/migration/report/report-schema";
import { countRecords } from "@/lib/migration/report/survey";

const EVERYBODY = "Here every member of the organization will.";

/** Records that a field hides from others in Salesforce. */
interface Private {
  field: string;
  names: [one: string, many: string];
  /** Who sees them in Salesforce. */
  seen: string;
  action: string;
}

/** By object (Object Reference, Event, Opportunity, EmailMessage and Attachment). */
const PRIVATE: Readonly<Record<string, Private>> = {
  Event: {
    field: "IsPrivate",
    names: ["private event", "private events"],
    seen: `In Salesforce only their owner and administrators see what they say. ${EVERYBODY}`,
    action: "Before you start, delete in Salesforce those that should stay private, or deselect events.",
  },
  Opportunity: {
    field: "IsPrivate",
    names: ["private opportunity", "private opportunities"],
    seen: `In Salesforce only their owner, those above in the role hierarchy and administrators see them. ${EVERYBODY}`,
    action: "Before you start, delete in Salesforce those that should stay private, or deselect opportunities.",
  },
  EmailMessage: {
    field: "IsPrivateDraft",
    names: ["private draft of an e-mail", "private drafts of e-mails"],
    seen: `In Salesforce only those who write them see them. ${EVERYBODY}`,
    action: "Before you start, have them sent or deleted in Salesforce.",
  },
  Attachment: {
    field: "IsPrivate",
    names: ["private attachment", "private attachments"],
    seen:
      "In Salesforce only their owner and administrators see them. If you have files copied, every member of the " +
      "organization will see them here.",
    action: "Before you have files copied, delete in Salesforce those that should stay private.",
  },
};

/** Selects the records of an object that are private and migrated; empty if it has none. */
export function privateIn(facts: Pick<ReportFacts, "mappings">, object: string): string[] {
  const found = PRIVATE[object];
  const noCopies = object === "Event" && canSeeField(facts, "Event", "IsChild") ? ["IsChild = false"] : [];
  return found ? [`${found.field} = true`, ...noCopies] : [];
}

/** Events, opportunities, drafts and attachments that are private in Salesforce, and will not be here. */
export const privateRecords: RiskCheck = async (facts) => {
  const risks: Risk[] = [];
  for (const [object, { field, names, seen, action }] of Object.entries(PRIVATE)) {
    if (!mayBePrivate(facts, object, field)) continue;
    const records = await countRecords(facts.client, object, privateIn(facts, object));
    if (records === 0) continue;
    risks.push({
      severity: "warning",
      code: "private_records",
      object,
      count: records,
      title: `${records === null ? `Any ${names[1]}` : formatCount(records, ...names)} would be seen by every member`,
      detail: seen,
      recommended_action: action,
    });
  }
  return risks;
};

function mayBePrivate(facts: ReportFacts, object: string, field: string): boolean {
  if (isSourceObject(object)) return canSeeField(facts, object, field);
  return facts.survey.objects.some(({ name, readable, count }) => name === object && readable && count !== 0);
}

/** Contacts without an account: private to their owner in Salesforce. */
export const privateContacts: RiskCheck = async (facts) => {
  if (!canSeeField(facts, "Contact", "AccountId")) return [];
  const contacts = await countRecords(facts.client, "Contact", ["AccountId = null"]);
  if (contacts === 0) return [];
  return [
    {
      severity: "info",
      code: "contacts_without_account",
      object: "Contact",
      count: contacts,
      title:
        contacts === null
          ? "Some contacts may belong to no account"
          : `${formatCount(contacts, "contact belongs", "contacts belong")} to no account`,
      detail: `In Salesforce only their owners see them. ${EVERYBODY}`,
      recommended_action:
        "Before you start, assign them to accounts, or delete in Salesforce those that should stay private.",
    },
  ];
};
