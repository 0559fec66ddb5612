import { transaction } from "@/lib/database/db";
import { inOrganization } from "@/lib/database/organization-scope";
import { type Configuration, configurationSchema } from "@/lib/migration/configuration/configuration-schema";
import { workPreview } from "@/lib/migration/duplicates/preview-duplicates";
import { listDuplicates } from "@/lib/migration/duplicates/list-duplicates";
import { startSearch } from "@/lib/migration/duplicates/searches";
import type { SourceObjectName } from "@/lib/migration/objects/source-object-names";
import type { MigrationKey } from "@/lib/migration/migration-schema";
import { execute, valueOf } from "@/lib/operation";
import type { SalesforceClient } from "@/lib/salesforce/client";
import { createContext } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";

/** Searches for duplicates of an object as the job of a preview does, in slices of `milliseconds`. */
export async function searchFor(
  key: MigrationKey,
  object: SourceObjectName,
  client: SalesforceClient,
  given: unknown,
  milliseconds = 60_000,
): Promise<void> {
  const choices = configurationSchema.parse({ objects: { [object]: { duplicates: given } } } satisfies unknown);
  await storeConfiguration(key, choices);
  await inOrganization(key.organizationId, async () => {
    const duplicates = choices.objects[object]?.duplicates;
    if (!duplicates) throw new Error(`There are no choices for ${object}.`);
    await transaction((tx) =>
      startSearch(tx, key, {
        object,
        purpose: "preview",
        run_number: 0,
        choices: duplicates,
        mapping: { fields: {}, values: {} },
        read_until: null,
      }),
    );
    while ((await workPreview(key, async () => client, milliseconds)) === "more");
  });
}

async function storeConfiguration(key: MigrationKey, choices: Configuration): Promise<void> {
  await pool().query("UPDATE migrations SET configuration = $2 WHERE id = $1", [key.migrationId, choices]);
}

interface ClusterMember {
  ext_id: string | null;
  record_id: string | null;
  rule: number | null;
  values: Record<string, unknown>;
}

export interface ListedCluster {
  object: string;
  action: string;
  survivor: ClusterMember;
  duplicates: ClusterMember[];
  count: number;
}

function nameOf({ ext_id, record_id }: ClusterMember): string {
  return ext_id ?? String(record_id);
}

/** All listed clusters, page by page. */
export async function clustersOf(key: MigrationKey, of: "preview" | "run" = "preview"): Promise<ListedCluster[]> {
  const context = await createContext({ organizationId: key.organizationId });
  const clusters: ListedCluster[] = [];
  let cursor: string | null = null;
  do {
    const input: Record<string, unknown> = { migration_id: key.migrationId, of, limit: 2, ...(cursor && { cursor }) };
    const page: { data: ListedCluster[]; next_cursor: string | null } = valueOf(
      await execute(listDuplicates, context, input),
    );
    clusters.push(...page.data);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return clusters;
}

/** The members of clusters, the record that stays first, in an order that can be compared. */
export function membersOf(clusters: readonly ListedCluster[]): string[][] {
  return clusters.map(({ survivor, duplicates }) => [survivor, ...duplicates].map(nameOf)).toSorted();
}
