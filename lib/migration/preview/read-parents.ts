import { linksOfTask } from "@/lib/migration/objects/email-task";
import { objectOf } from "@/lib/migration/objects/key-prefixes";
import type { SourceObjectName } from "@/lib/migration/objects/source-object-names";
import type { Plan } from "@/lib/migration/pipeline/map/plan";
import { transform } from "@/lib/migration/pipeline/map/transform";
import { readAgain, readByIds } from "@/lib/migration/pipeline/read/read-by-ids";
import { planOf, type RunSession } from "@/lib/migration/pipeline/run-session";
import { isSalesforceId, to18 } from "@/lib/salesforce/ids";
import type { SourceRecord } from "@/lib/salesforce/query";

/** Records by their objects. */
export type Records = Map<SourceObjectName, SourceRecord[]>;

/** A comment of a case of a contact of an account needs as many steps; a parent of a parent is one more. */
const MAX_STEPS = 4;

/** More are not read; what they would link then looks as if it was not here, and a note says so, as of more steps. */
const MAX_PARENTS = 150;

interface Parents {
  records: Records;
  /** Whether there are more than {@link MAX_PARENTS}, or some that take more than {@link MAX_STEPS}. */
  isCut: boolean;
}

/**
 * Reads the records that others need to become what a run makes of them: those that they link to, those that they only
 * show, and the e-mails that tasks are copies of; then what those need, and so on.
 */
export async function readParents(
  session: RunSession,
  selected: ReadonlySet<SourceObjectName>,
  object: SourceObjectName,
  sampled: readonly SourceRecord[],
): Promise<Parents> {
  const known = new Set(sampled.map(({ Id }) => String(Id)));
  const records: Records = new Map();
  let count = 0;
  let isCut = false;
  const keep = (name: SourceObjectName, found: readonly SourceRecord[]) => {
    const added = found.filter(({ Id }) => !known.has(String(Id))).slice(0, MAX_PARENTS - count);
    isCut ||= added.length < found.length && count + found.length > MAX_PARENTS;
    for (const { Id } of added) known.add(String(Id));
    count += added.length;
    records.set(name, [...(records.get(name) ?? []), ...added]);
    return added;
  };
  let step: Records = new Map([[object, [...sampled]]]);
  if (object === "Task" && selected.has("EmailMessage"))
    step.set("EmailMessage", keep("EmailMessage", await emailsOf(session, sampled)));
  for (let steps = 0; steps < MAX_STEPS && step.size > 0; steps += 1) {
    const next: Records = new Map();
    for (const [name, wanted] of await unreadParents(session, step, selected, known)) {
      isCut ||= wanted.length > MAX_PARENTS;
      const found: SourceRecord[] = [];
      const plan = await planOf(session, name);
      const read = { client: session.client, plan, window: session.window };
      for await (const page of readAgain(read, wanted.slice(0, MAX_PARENTS))) found.push(...page);
      const added = keep(name, found);
      if (added.length > 0) next.set(name, added);
    }
    step = next;
  }
  isCut ||= (await unreadParents(session, step, selected, known)).length > 0;
  return { records, isCut };
}

/** The ids of selected objects that records name and that were not read yet. */
async function unreadParents(
  session: RunSession,
  step: Records,
  selected: ReadonlySet<SourceObjectName>,
  known: ReadonlySet<string>,
): Promise<[SourceObjectName, string[]][]> {
  const named = await namedBy(session, step);
  return [...named].flatMap(([name, ids]) => {
    const wanted = selected.has(name) ? [...ids].filter((id) => !known.has(id)) : [];
    return wanted.length > 0 ? [[name, wanted]] : [];
  });
}

/** The e-mails that tasks are Salesforce's copies of. */
async function emailsOf(session: RunSession, tasks: readonly SourceRecord[]): Promise<SourceRecord[]> {
  const plan = await planOf(session, "EmailMessage");
  const ids = tasks.map(({ Id }) => String(Id));
  return readByIds(session.client, { from: "EmailMessage", key: "ActivityId", fields: plan.select }, ids);
}

/** The ids that records name, by the object that they belong to. */
async function namedBy(session: RunSession, step: Records): Promise<Map<SourceObjectName, Set<string>>> {
  const named = new Map<SourceObjectName, Set<string>>();
  for (const [name, records] of step) {
    const plan = await planOf(session, name);
    for (const id of records.flatMap((record) => idsIn(session, plan, record))) {
      const object = objectOf(id);
      if (object) named.set(object, (named.get(object) ?? new Set()).add(to18(id)));
    }
  }
  return named;
}

function idsIn({ people, run }: RunSession, plan: Plan, record: SourceRecord): string[] {
  const links = [...plan.main.links, ...(plan.alternative?.links ?? [])];
  const mapped = plan.object.name === "FeedItem" ? transform(plan, record, people, run.organizationId) : null;
  const shown = mapped && !("issue" in mapped) ? mapped.row.mirror?.extId : undefined;
  const named = { ...record, ...(plan.object.name === "EmailMessage" && linksOfTask(record)) };
  return [...links.map(({ field }) => named[field]), shown].filter(
    (id): id is string => typeof id === "string" && isSalesforceId(id),
  );
}
