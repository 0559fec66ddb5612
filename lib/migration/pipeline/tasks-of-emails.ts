import { textOf } from "@/lib/migration/objects/declaration";
import { attachTask, keptFields } from "@/lib/migration/objects/mirrored-task";
import { LARGEST_PAGE } from "@/lib/migration/page-size";
import { isHidden } from "@/lib/migration/pipeline/hidden";
import { readByKeyset } from "@/lib/migration/pipeline/read-by-keyset";
import type { Plan } from "@/lib/migration/pipeline/plan";
import { planOf, type RunSession } from "@/lib/migration/pipeline/run-session";
import type { SalesforceClient } from "@/lib/salesforce/client";
import { soqlString } from "@/lib/salesforce/soql";
import type { SourceRecord } from "@/lib/salesforce/query";

/** Ids per query: the statement must fit into a URL. */
export const TASKS_PER_QUERY = 400;

/**
 * Writes into e-mails what only the Tasks that mirror them say: whom the e-mail is with, and custom fields. Those Tasks are not imported
 * beside their e-mails; what was deleted is not taken either. It is read with the e-mail, so that importing again finds the same record.
 */
export async function addTasks(session: RunSession, emails: readonly SourceRecord[]): Promise<void> {
  const fields = await fieldsOfTasks(session);
  const byTask = Map.groupBy(emails, (email) => textOf(email, "ActivityId"));
  const tasks = [...byTask.keys()].filter((id) => id !== null);
  if (fields.length === 0) return;
  for (let start = 0; start < tasks.length; start += TASKS_PER_QUERY) {
    const ids = tasks.slice(start, start + TASKS_PER_QUERY);
    for await (const found of readTasks(session.client, fields, ids)) {
      for (const task of found) byTask.get(String(task.Id))?.forEach((email) => attachTask(email, task, fields));
    }
  }
}

/** None where the Salesforce user may not see Tasks. Of Tasks that the user does not want, only the link to the contact. */
async function fieldsOfTasks(session: RunSession): Promise<string[]> {
  const plan = await planOf(session, "Task").catch((error: unknown): Plan | null => {
    if (isHidden(error)) return null;
    throw error;
  });
  const fields = keptFields(plan?.select ?? []);
  return session.configuration.objects.Task?.selected === false ? fields.filter((field) => field === "WhoId") : fields;
}

function readTasks(client: SalesforceClient, fields: readonly string[], ids: readonly string[]): AsyncGenerator<SourceRecord[]> {
  const where = [`Id IN (${ids.map(soqlString).join(", ")})`, "IsDeleted = false"];
  return readByKeyset(client, { from: "Task", fields: ["Id", ...fields], where, after: null, all: true, size: { records: LARGEST_PAGE } });
}
