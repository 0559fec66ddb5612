import type { SourceObject, SourceRecord } from "@/tests/service/support/source-org";

/** Facts about the whole Salesforce org that the expectation of a record depends on. */
export interface SourceContext {
  records: Record<SourceObject, SourceRecord[]>;
  /** Names of users and queues, by id. */
  names: Map<string, unknown>;
  /** Accounts, contacts and cases: records that references can point at after a migration. */
  linkable: Set<string>;
  cases: Set<string>;
  tasks: Map<string, SourceRecord>;
  /** Tasks that an imported e-mail names as its copy (EmailMessage.ActivityId). */
  mirrors: Set<unknown>;
  /** Masters of recurring series with at least one occurrence. */
  occurring: Set<unknown>;
}

/** The case of an e-mail: ParentId, else RelatedToId if it is a case. */
export function caseOfEmail(email: SourceRecord): string | null {
  if (typeof email.ParentId === "string") return email.ParentId;
  return typeof email.RelatedToId === "string" && email.RelatedToId.startsWith("500") ? email.RelatedToId : null;
}

function idsOf(records: readonly SourceRecord[]): string[] {
  return records.map(({ Id }) => Id);
}

export function sourceWorld(records: SourceContext["records"], people: readonly SourceRecord[]): SourceContext {
  const cases = new Set(idsOf(records.Case));
  const isImported = (email: SourceRecord) => {
    const parent = caseOfEmail(email);
    return parent === null || cases.has(parent);
  };
  return {
    records,
    names: new Map(people.map(({ Id, Name }) => [Id, Name])),
    linkable: new Set([records.Account, records.Contact, records.Case].flatMap(idsOf)),
    cases,
    tasks: new Map(records.Task.map((task) => [task.Id, task])),
    occurring: new Set(
      [...records.Task, ...records.Event]
        .filter(({ IsRecurrence, IsChild }) => IsRecurrence !== true && IsChild !== true)
        .map(({ RecurrenceActivityId }) => RecurrenceActivityId),
    ),
    mirrors: new Set(records.EmailMessage.filter(isImported).map(({ ActivityId }) => ActivityId)),
  };
}
