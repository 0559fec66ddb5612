import { resourcesOf } from "@/lib/migration/objects/declaration";
import { isImported } from "@/lib/migration/objects/imported-objects";
import { SOURCE_OBJECTS } from "@/lib/migration/objects/source-objects";
import type { AutomationItem } from "@/lib/migration/report/report-schema";

/** One automation of the org, as far as it can be seen. */
export interface FoundAutomation extends Pick<AutomationItem, "kind" | "name" | "object" | "active"> {
  /** What starts it, in the words of Salesforce: "RecordBeforeSave", "Flow" (a person), "onCreateOnly", … */
  trigger: string | null;
  /** The changes of a record that start it; empty if they are not known. */
  changes: readonly Change[];
  /** The length of its code, of triggers. */
  characters?: number;
}

export type Change = "created" | "updated" | "deleted";

type Advice = Pick<AutomationItem, "action" | "events">;

/** The objects whose changes webhooks report, and the entity in the names of their events. */
const ENTITIES: Record<string, string> = {
  Account: "account",
  Contact: "contact",
  Case: "case",
  Lead: "lead",
  Opportunity: "opportunity",
};

/** Events of special moments, by what the name of an automation says of it. */
const MOMENTS: readonly (readonly [object: string, name: RegExp, event: string])[] = [
  ["Case", /escalat/i, "case.escalated"],
  ["Lead", /convert/i, "lead.converted"],
  ["Opportunity", /stage|won|lost/i, "opportunity.stage_changed"],
];

/** The records that an object becomes, whose changes only the events feed has: "case comments and activities". */
function recordsInFeed(object: string): string | null {
  if (!isImported(object) || Object.hasOwn(ENTITIES, object)) return null;
  const resources = resourcesOf(SOURCE_OBJECTS[object]);
  return new Intl.ListFormat("en").format(resources.map((name) => name.replaceAll("_", " ")));
}

type Rule = (found: FoundAutomation) => Advice | null;

const only = (action: string): Advice => ({ action, events: [] });

/** The advice by what starts an automation, where no change of a record does. */
const BY_TRIGGER: Record<string, string> = {
  Flow: "Its screens have no equivalent here. Build the form in a program of yours, which writes through the API.",
  Scheduled: "Run a program on a schedule of yours, which reads and writes through the API.",
  PlatformEvent: "Let the sender of the platform event call the API itself, or a program of yours that does.",
  CustomEvent: "Let the sender of the platform event call the API itself, or a program of yours that does.",
  InvocableProcess: "Move its steps into what calls it; both read and write through the API.",
};

/** The first rule that applies says what to do. */
const RULES: readonly Rule[] = [
  ({ active }) => (active ? null : only("Nothing: it is not active.")),
  ({ kind, object }) =>
    kind === "validation_rules"
      ? only(
          `The API checks required fields, types and lengths. Check this rule in the programs and forms that write ${
            object ?? "these records"
          }.`,
        )
      : null,
  ({ trigger }) => {
    const action = Object.hasOwn(BY_TRIGGER, trigger ?? "") ? BY_TRIGGER[trigger ?? ""] : undefined;
    return action === undefined ? null : only(action);
  },
  ({ object }) => {
    const records = object && recordsInFeed(object);
    return records
      ? only(`Read what happens to ${records} from the events feed of the API, and write through it.`)
      : null;
  },
  ({ object }) =>
    object !== null && !Object.hasOwn(ENTITIES, object) ? only(`Nothing here: ${object} stays in Salesforce.`) : null,
  onRecords,
];

/** What to do about an automation that Salesforce will no longer run, and the events that webhooks offer for it. */
export function adviseOn(found: FoundAutomation): Advice {
  for (const rule of RULES) {
    const advice = rule(found);
    if (advice) return advice;
  }
  return only("Find out in Salesforce what starts it, and move its steps into a program that uses the API.");
}

function onRecords({ object, name, changes }: FoundAutomation): Advice | null {
  const entity = object === null ? undefined : ENTITIES[object];
  if (!entity) return null;
  const moment = MOMENTS.find(([of, says]) => of === object && says.test(name))?.[2];
  const events = [
    ...(moment ? [moment] : []),
    ...(changes.length > 0 ? changes : ["created", "updated"]).map((change) => `${entity}.${change}`),
  ];
  const action =
    `Let a webhook call a program of yours on ${new Intl.ListFormat("en", { type: "disjunction" }).format(events)}; ` +
    "it does the work, and writes back through the API.";
  return { action, events };
}
