import { type Migration } from "@/tests/service/specification/support/migration";
import { type SourceRecord, sourceRecords } from "@/tests/service/specification/support/salesforce";
import type { Api, Stored } from "@/tests/service/specification/support/service";

/** The objects that migrate, where each becomes a record, and the fields whose fate is judged. */
export const OBJECTS = {
  Account: { resource: "accounts", fields: [] },
  Contact: { resource: "contacts", fields: ["AccountId"] },
  Case: { resource: "cases", fields: ["AccountId", "ContactId"] },
  CaseComment: { resource: "case_comments", fields: ["ParentId", "CreatedDate"] },
  EmailMessage: { resource: "case_comments", fields: ["ParentId", "MessageDate"] },
  Task: { resource: "activities", fields: ["WhoId", "WhatId", "AccountId"] },
  Event: { resource: "activities", fields: ["WhoId", "WhatId", "AccountId"] },
} as const;

export type SourceObject = keyof typeof OBJECTS;

export const OBJECT_NAMES = Object.keys(OBJECTS) as SourceObject[];

/** A record of the org, and what it has become. */
export interface Pair {
  source: SourceRecord;
  record: Stored;
}

/** Both sides of a migration that is over: read from the org and from the service, each by its own API. */
export class Imported {
  readonly pairs = {} as Record<SourceObject, Pair[]>;
  /** Records of the org that the migration says it left out, and those that are missing though it does not. */
  readonly missing: string[] = [];
  readonly leftOut: Set<string>;
  readonly byExtId = new Map<string, Stored>();

  private constructor(leftOut: Set<string>) {
    this.leftOut = leftOut;
  }

  static async read(api: Api, { migration_id }: Migration): Promise<Imported> {
    const errors = await api.all<{ ext_id: string } & Stored>(`/migration/${migration_id}/errors`);
    const imported = new Imported(new Set(errors.map(({ ext_id }) => ext_id)));
    for (const resource of new Set(OBJECT_NAMES.map((name) => OBJECTS[name].resource))) {
      for (const record of await api.all(`/${resource}`))
        if (record.ext_id) imported.byExtId.set(record.ext_id, record);
    }
    for (const name of OBJECT_NAMES) {
      imported.#match(name, await sourceRecords(name, ["LastModifiedDate", ...OBJECTS[name].fields]));
    }
    return imported;
  }

  /** The id of the record that this record of the org has become. */
  idOf(externalId: string | null | undefined): string | null {
    return (externalId && this.byExtId.get(externalId)?.id) || null;
  }

  /** Those that nobody has changed here since they came: other people work in the same organization. */
  untouched(...names: SourceObject[]): Pair[] {
    return names
      .flatMap((name) => this.pairs[name])
      .filter(
        ({ source, record }) => Date.parse(String(record.updated_at)) === Date.parse(String(source.LastModifiedDate)),
      );
  }

  #match(name: SourceObject, records: SourceRecord[]): void {
    this.pairs[name] = [];
    for (const source of records) {
      const record = this.byExtId.get(source.Id);
      if (record) this.pairs[name].push({ source, record });
      else if (!this.leftOut.has(source.Id)) this.missing.push(`${name} ${source.Id}`);
    }
  }
}
