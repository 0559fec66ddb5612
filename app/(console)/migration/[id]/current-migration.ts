import { answerOf, type PageQuery } from "@/app/prefetched";
import { queryKeys } from "@/components/api/query-keys";
import { PRODUCT_NAME } from "@/lib/brand";
import type { Context } from "@/lib/context";
import type { Migration } from "@/lib/migration/migration-schema";
import { getMigration } from "@/lib/migration/read-migrations";

/** The migration of a page. Its frame and its title, and what a step reads beside it, depend on it. */
export function migrationQuery(id: string): PageQuery {
  return { key: queryKeys.migration(id), operation: getMigration, input: { migration_id: id } };
}

/** The migration of a page; undefined where the browser is to say why there is none. */
export async function readMigration(context: Context, id: string): Promise<Migration | undefined> {
  return (await answerOf(migrationQuery(id), context)) as Migration | undefined;
}

/** The titles of the steps, with the name of their org. */
export function titleWith(org: string): { template: string; absolute: string } {
  // Next puts the step in place of every “%s”: in a name, an invisible word joiner takes it apart.
  const name = org.replaceAll("%s", "%\u2060s");
  return { template: `%s · ${name} · ${PRODUCT_NAME}`, absolute: `${org} · ${PRODUCT_NAME}` };
}
