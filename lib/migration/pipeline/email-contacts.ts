import { SOURCE_OBJECTS } from "@/lib/migration/objects/source-objects";
import { type SourceRecord, textOf } from "@/lib/migration/objects/declaration";
import { isHidden } from "@/lib/migration/pipeline/hidden";
import type { SalesforceClient } from "@/lib/salesforce/client";
import { query } from "@/lib/salesforce/query";
import { select, soqlString } from "@/lib/salesforce/soql";

/** Ids per query: the statement must fit into a URL. */
const IDS = 200;

/**
 * Writes into e-mails outside of cases the WhoId of the Tasks that mirror them. An e-mail itself does not say which contact it went to,
 * and the Task, which does, is not imported beside it.
 */
export async function addWhoOfTasks(client: SalesforceClient, emails: readonly SourceRecord[]): Promise<void> {
  const byTask = new Map<string, SourceRecord>();
  for (const email of emails) {
    const task = textOf(email, "ActivityId");
    if (task && SOURCE_OBJECTS.EmailMessage.otherwise?.applies(email)) byTask.set(task, email);
  }
  const tasks = [...byTask.keys()];
  for (let start = 0; start < tasks.length; start += IDS) {
    const ids = tasks.slice(start, start + IDS).map(soqlString);
    const soql = select({ fields: ["Id", "WhoId"], from: "Task", where: [`Id IN (${ids.join(", ")})`] });
    const page = await query(client, soql, { all: true }).catch((error: unknown) => {
      if (isHidden(error)) return null;
      throw error;
    });
    for (const task of page?.records ?? []) {
      const email = byTask.get(String(task.Id));
      if (email) email.WhoId = task.WhoId;
    }
  }
}
