import type { Migration } from "@/tests/service/specification/support/migration";
import { type SourceRecord, sourceRecords } from "@/tests/service/specification/support/salesforce";
import type { Api, Stored } from "@/tests/service/specification/support/service";

/** The migrated objects, the lists of their records, and the fields that are compared. */
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

/** A record of the org and the record that it became. */
export interface Pair {
  source: SourceRecord;
  record: Stored;
}

/** Both sides of a completed migration, each read through its own API. */
export class Imported {
  readonly pairs = {} as Record<SourceObject, Pair[]>;
  /** Records that are missing here, although the migration does not report them as left out. */
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

  /** The id of the record that a record of the org became. */
  idOf(externalId: string | null | undefined): string | null {
    return (externalId && this.byExtId.get(externalId)?.id) || null;
  }

  /** Records that nobody changed here since the import: other tests use the same organization. */
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
