import { RESOURCES } from "@/lib/records/schema/resources";
import type { RestClient } from "@/tests/service/support/rest-client";

/** So many records of each kind are also read one by one. */
const READ_ALONE = 5;

/** Other lists, each of which fits into one page. */
const OTHER_LISTS = ["webhooks", "events?limit=200", "migration"];

/** What the API answers about everything that an organization has: by path, as text. */
export async function readEverything(api: RestClient): Promise<Map<string, string>> {
  const answers = new Map<string, string>();
  for (const resource of RESOURCES) {
    const path = `/api/v1/${resource}`;
    const { records } = await api.list<{ id: string }>(path);
    if (records.length === 0) throw new Error(`There is no record of ${resource} to compare.`);
    answers.set(path, JSON.stringify(records));
    for (const { id } of records.slice(0, READ_ALONE)) answers.set(`${path}/${id}`, await api.text(`${path}/${id}`));
  }
  for (const list of OTHER_LISTS) answers.set(list, await api.text(`/api/v1/${list}`));
  return answers;
}
