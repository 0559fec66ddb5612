import {
  type Configuration,
  type RelationshipChoice,
  configurationSchema,
} from "@/lib/migration/configuration/configuration-schema";
import { AUTOMATIC_OBJECTS, type SourceObjectName } from "@/lib/migration/objects/source-object-names";
import { ScriptedSource, sourceId, sourceRecord } from "@/tests/migration/support/scripted-source";

export type Choices = Partial<Record<SourceObjectName, Record<string, RelationshipChoice>>>;

/** Only these objects, with these choices. */
export function only(objects: readonly SourceObjectName[], choices: Choices = {}): Configuration {
  return configurationSchema.parse({
    objects: Object.fromEntries(
      AUTOMATIC_OBJECTS.map((name) => [
        name,
        { selected: objects.includes(name), ...(choices[name] && { relationships: choices[name] }) },
      ]),
    ),
  });
}

export const ACCOUNT = sourceId("001", 1);
export const CONTACT = sourceId("003", 1);
export const CASE = sourceId("500", 1);

/** One account, a contact and a case of it, and activities about all of them. */
export function source(): ScriptedSource {
  return new ScriptedSource({
    Account: [sourceRecord("001", 1, { Name: "A" })],
    Contact: [sourceRecord("003", 1, { LastName: "C", AccountId: ACCOUNT })],
    Case: [sourceRecord("500", 1, { Subject: "S", AccountId: ACCOUNT, ContactId: CONTACT })],
    CaseComment: [],
    EmailMessage: [],
    Task: [
      sourceRecord("00T", 1, { Subject: "T", WhoId: CONTACT, WhatId: CASE, AccountId: ACCOUNT }),
      sourceRecord("00T", 2, { Subject: "U", WhatId: ACCOUNT }),
      sourceRecord("00T", 3, { Subject: "V", WhoId: sourceId("00Q", 1), WhatId: sourceId("a00", 1) }),
    ],
    Event: [],
  });
}

export function lacking(field: string, value: string) {
  return { outcome: "skipped", code: "parent_not_here", field, value };
}

/** Accounts whose parent is the next one each; that of the last one is `last`. */
export function chain(from: number, to: number, last: number) {
  return Array.from({ length: to - from + 1 }, (_, index) => {
    const number = from + index;
    return sourceRecord("001", number, { Name: "A", ParentId: sourceId("001", number < to ? number + 1 : last) });
  });
}
