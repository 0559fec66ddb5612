import { pool } from "@/lib/database/db";
import type { Configuration } from "@/lib/migration/configuration/configuration-schema";
import { isRead } from "@/lib/migration/configuration/mapping-rules";
import { peopleIn } from "@/lib/migration/objects/key-prefixes";
import type { SourceObjectName } from "@/lib/migration/objects/source-object-names";
import { SOURCE_OBJECTS } from "@/lib/migration/objects/source-objects";
import { addRelated } from "@/lib/migration/pipeline/read/related-records";
import { readByIds } from "@/lib/migration/pipeline/read/read-by-ids";
import { NOBODY, readPeople } from "@/lib/migration/pipeline/read/people";
import { sourceClock } from "@/lib/migration/pipeline/read/window";
import { nothingLearned, planOf, type RunSession } from "@/lib/migration/pipeline/run-session";
import { causeOf, describeRecord } from "@/lib/migration/preview/describe-record";
import type { Preview } from "@/lib/migration/preview/preview-schema";
import { readParents, type Records } from "@/lib/migration/preview/read-parents";
import { type Rehearsed, rehearse } from "@/lib/migration/preview/rehearse";
import { readAsked, type Sampled, sampleRecords } from "@/lib/migration/preview/sample-records";
import type { FieldReport, ObjectReport } from "@/lib/migration/report/report-schema";
import type { MigrationKey } from "@/lib/migration/migration-schema";
import type { SalesforceClient } from "@/lib/salesforce/client";

/** An answer has at most this many characters of values, however many fields an object has. */
const MAX_CHARACTERS = 4_000_000;
const MAX_TEXT = 500;

interface Work {
  client: SalesforceClient;
  signal: AbortSignal;
  configuration: Configuration;
  selected: ReadonlyMap<SourceObjectName, ObjectReport>;
  entry: ObjectReport;
}

interface Wanted {
  object: SourceObjectName;
  count: number;
  extIds: string[] | undefined;
}

/** Reads records of an org and those that they need, rehearses their import, and says what came of it. */
export async function previewRecords(work: Work, key: MigrationKey, wanted: Wanted): Promise<Preview> {
  const { client, configuration, selected, signal } = work;
  const { object, count, extIds } = wanted;
  const session = await openSession(work, key);
  const plan = await planOf(session, object);
  const reading = { client, plan, window: session.window, signal };
  const sampled = extIds ? await readAsked(reading, extIds) : await sampleRecords(reading, count, key.organizationId);
  const records = sampled.map(({ record }) => record);
  const parents = await readParents(session, new Set(selected.keys()), object, records);
  const own: Records = new Map([[object, records]]);
  for (const group of [parents.records, own]) for (const [name, read] of group) await addRelated(session, name, read);
  await addPeople(session, [parents.records, own]);
  signal.throwIfAborted();
  const [before, made] = await rehearse(session, [parents.records, own]);
  // Only now: of these the import must see only what rules read.
  const leftOut = await addLeftOut(work, object, sampled);
  return {
    object,
    data: described(work.entry, sampled, before, made, leftOut),
    parents: before.map(parentOf),
    not_found: extIds?.filter((id) => !records.some(({ Id }) => Id === id)) ?? [],
    fields_left_out: fieldsLeftOut(work.entry, object, leftOut),
    notes: notesOf(configuration, object, parents.isCut),
    api_requests: client.requests,
    not_previewed_because: null,
  };
}

async function openSession({ client, configuration }: Work, key: MigrationKey): Promise<RunSession> {
  const until = await sourceClock(client);
  return {
    run: { ...key, runNumber: 0 },
    kind: "full",
    // What a preview spends is said in its answer, and is not part of a run.
    api: { client, limit: undefined, used: 0, since: until, stored: client.requests },
    client,
    window: { until },
    configuration,
    people: NOBODY,
    ...nothingLearned(),
  };
}

/** Reads the users and queues that the records name, in place of all. */
async function addPeople(session: RunSession, groups: readonly Records[]): Promise<void> {
  const ids = [...new Set(groups.flatMap((group) => [...group.values()].flat().flatMap(peopleIn)))];
  if (ids.length === 0) return;
  const { client, run, configuration } = session;
  session.people = await readPeople(client, pool(), run.organizationId, configuration.owners, ids);
}

/** Adds to the records the values of the fields that the configuration leaves out, and returns those fields. */
async function addLeftOut({ client, configuration, entry }: Work, object: SourceObjectName, sampled: Sampled[]) {
  const chosen = configuration.objects[object]?.fields ?? {};
  const readable = entry.fields.filter((field) => isReadIn(object, field)).map(({ source }) => source);
  const leftOut = readable.filter((name) => chosen[name] === null);
  if (leftOut.length === 0) return [];
  const byId = new Map(sampled.map(({ record }) => [String(record.Id), record]));
  // What was sampled may be archived, as activities are after a year.
  const read = { from: object, key: "Id", fields: leftOut, all: true };
  for (const { Id, ...values } of await readByIds(client, read, [...byId.keys()]))
    Object.assign(byId.get(String(Id)) ?? {}, values);
  return leftOut;
}

function isReadIn(object: SourceObjectName, { source, type }: FieldReport): boolean {
  return isRead({ name: source, type }, SOURCE_OBJECTS[object].ignoredFields);
}

function fieldsLeftOut(
  entry: ObjectReport,
  object: SourceObjectName,
  leftOut: readonly string[],
): Preview["fields_left_out"] {
  const chosen = new Set(leftOut);
  return entry.fields
    .filter((field) => chosen.has(field.source) || !isReadIn(object, field))
    .map(({ source, label }) => ({
      source,
      label,
      because: chosen.has(source) ? "configuration" : "repeats_others",
    }));
}

function described(
  { fields }: ObjectReport,
  sampled: readonly Sampled[],
  before: readonly Rehearsed[],
  made: readonly Rehearsed[],
  leftOut: readonly string[],
) {
  const values = Math.max(1, made.reduce((sum, { source }) => sum + Object.keys(source).length, 0) * 2);
  const around = {
    fields: new Map(fields.map((field) => [field.source, field])),
    leftOut,
    parents: new Map([...before, ...made].map((each) => [each.extId, each])),
    maxText: Math.min(MAX_TEXT, Math.ceil(MAX_CHARACTERS / values)),
  };
  const sampledAs = new Map(sampled.map(({ record, as }) => [String(record.Id), as]));
  return made.map((each) => describeRecord(each, sampledAs.get(each.extId) ?? [], around));
}

function parentOf({ object, extId, outcome, issue, recordId }: Rehearsed): Preview["parents"][number] {
  return { object, ext_id: extId, outcome, record_id: recordId, cause: causeOf(issue) };
}

const NOT_ALL_READ =
  "These records need others that a preview does not read: more than 150, or more than four steps away. A run may " +
  "import what is left out here for one of those.";

function notesOf({ objects, send_events: emits }: Configuration, object: SourceObjectName, isCut: boolean): string[] {
  return [
    ...(objects[object]?.duplicates?.rules.length
      ? ["A run merges duplicates by the rules of the configuration; preview them by `POST …/duplicates/preview`."]
      : []),
    ...(isCut ? [NOT_ALL_READ] : []),
    ...(emits ? ["A run emits an event for each record that it creates or changes."] : []),
  ];
}
