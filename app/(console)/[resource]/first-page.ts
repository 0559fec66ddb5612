import { executeForPage } from "@/app/execute-for-page";
import type { FirstPage } from "@/components/records/list/use-records";
import { apiQuery, type RecordPage, toRows } from "@/components/records/list/view/list-row";
import { dependsOnBrowser, FIRST_LIMIT, type ListView } from "@/components/records/list/view/list-view";
import type { Context } from "@/lib/context";
import { AppError } from "@/lib/errors";
import { valueOf } from "@/lib/operation";
import { listOperation } from "@/lib/records/operations";
import type { ResourceName } from "@/lib/records/schema/resources";

/** The first page of a list, so that its rows come with the page. Null if it is refused: the browser asks again. */
export async function firstPage(context: Context, resource: ResourceName, view: ListView): Promise<FirstPage | null> {
  if (dependsOnBrowser(view)) return null;
  const query = apiQuery(resource, view);
  try {
    const input = { ...Object.fromEntries(query), limit: FIRST_LIMIT };
    const page = valueOf(await executeForPage(listOperation(resource), context, input)) as RecordPage;
    return { query: query.toString(), page: toRows(resource, view, page), readAt: Date.now() };
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}
