import type { Plan } from "@/lib/migration/pipeline/map/plan";
import { type Issue, issueOf, type Outcome, transform } from "@/lib/migration/pipeline/map/transform";
import { readAgain } from "@/lib/migration/pipeline/read/read-by-ids";
import { addRelated } from "@/lib/migration/pipeline/read/related-records";
import type { RunSession } from "@/lib/migration/pipeline/run-session";
import type { SourceRecord } from "@/lib/salesforce/query";

/** What becomes of records now, read by their ids. Those that the source no longer returns are skipped. */
export async function readOutcomes(session: RunSession, plan: Plan, ids: readonly string[]): Promise<Outcome[]> {
  const records: SourceRecord[] = [];
  for await (const page of readAgain({ ...session, plan }, ids)) records.push(...page);
  await addRelated(session, plan.object.name, records);
  const found = new Set(records.map(({ Id }) => String(Id)));
  return [
    ...records.map((record) => transform(plan, record, session.people, session.run.organizationId)),
    ...ids.filter((id) => !found.has(id)).map((id) => ({ issue: goneIssue(id, plan) })),
  ];
}

function goneIssue(id: string, { object }: Plan): Issue {
  const reason =
    `Salesforce no longer returns this ${object.label}: it was deleted after the run that left it out, or the ` +
    "Salesforce user may no longer see it.";
  return issueOf(id, "skipped", "gone_in_source", reason, "Id", id);
}
