import { demo } from "@/tests/service/specification/support/service";

/** A record read from the org, without the service. */
export type SourceRecord = { Id: string } & Record<string, string | null>;

async function ask<T>(path: string): Promise<T> {
  const { ext_instance_url, ext_access_token } = demo.sandbox_org;
  const response = await fetch(ext_instance_url + path, { headers: { authorization: `Bearer ${ext_access_token}` } });
  if (!response.ok) throw new Error(`The org answered ${response.status} to ${path}: ${await response.text()}`);
  return (await response.json()) as T;
}

const VERSION = "/services/data/v60.0";

/** All records of an object that are not deleted, including archived activities. */
export async function sourceRecords(object: string, fields: string[] = []): Promise<SourceRecord[]> {
  const query = `SELECT ${["Id", ...fields].join(", ")} FROM ${object} WHERE IsDeleted = false`;
  const records: SourceRecord[] = [];
  let next: string | null = `${VERSION}/queryAll?q=${encodeURIComponent(query)}`;
  while (next) {
    const page: { records: SourceRecord[]; nextRecordsUrl?: string | null } = await ask(next);
    records.push(...page.records);
    next = page.nextRecordsUrl ?? null;
  }
  return records;
}

export async function countOf(object: string): Promise<number> {
  return (await sourceRecords(object)).length;
}

/** The org's per-object description call. */
export async function sourceFields(object: string): Promise<string[]> {
  const { fields } = await ask<{ fields: { name: string }[] }>(`${VERSION}/sobjects/${object}/describe`);
  return fields.map(({ name }) => name);
}

/** Custom objects in the org's object list, without custom settings and custom metadata, which have no records. */
export async function customObjects(): Promise<string[]> {
  interface Described {
    name: string;
    custom: boolean;
    customSetting: boolean;
    queryable: boolean;
  }
  const { sobjects } = await ask<{ sobjects: Described[] }>(`${VERSION}/sobjects`);
  return sobjects
    .filter(({ custom, customSetting, queryable }) => custom && queryable && !customSetting)
    .map(({ name }) => name)
    .filter((name) => name.endsWith("__c"));
}

/**
 * The three kinds of Process Builder processes: on a record's change, on a platform event, called by another process.
 */
const PROCESSES = new Set(["Workflow", "CustomEvent", "InvocableProcess"]);

async function metadata(query: string): Promise<Record<string, string>[]> {
  const { records } = await ask<{ records: Record<string, string>[] }>(
    `${VERSION}/tooling/query?q=${encodeURIComponent(query)}`,
  );
  return records;
}

/** The number of automations of each kind in the org. */
export async function automations(): Promise<{ workflows: number; process_builder_flows: number; triggers: number }> {
  const flows = await metadata("SELECT Id, ProcessType FROM Flow");
  return {
    workflows: (await metadata("SELECT Id FROM WorkflowRule")).length,
    process_builder_flows: flows.filter(({ ProcessType }) => PROCESSES.has(ProcessType ?? "")).length,
    triggers: (await metadata("SELECT Id FROM ApexTrigger")).length,
  };
}
