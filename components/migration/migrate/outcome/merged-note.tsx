import { Text } from "@mantine/core";

import { mergedByRules } from "@/components/migration/migrate/duplicate-words";
import { useProof } from "@/components/migration/proof/use-proof";
import { useConfiguration } from "@/components/migration/use-migration";
import { formatCount } from "@/components/ui/text/format";
import type { Migration } from "@/lib/migration/migration-schema";

/**
 * Says that merged duplicates are in the counts though they are no records of their own here. A run does not count
 * them; a comparison of the same run with Salesforce does.
 */
export function MergedNote({ migration }: { migration: Migration }) {
  const { data: proof } = useProof(migration);
  const { data: saved } = useConfiguration(migration.migration_id);
  // A delta counts what has changed, and its comparison all that is merged.
  const isCompared = proof?.status === "done" && proof.run_number === migration.run_number;
  const isOfRun = isCompared && migration.run_kind !== "delta";
  const merged = isOfRun ? proof.objects.reduce((sum, object) => sum + object.merged, 0) : null;
  if (merged === 0 || (merged === null && !(saved && mergedByRules(saved)))) return null;
  return (
    <Text size="sm" c="dimmed" mt="sm">
      {merged !== null && `${formatCount(merged, "record of Salesforce was", "records of Salesforce were")} merged. `}A
      duplicate that is merged counts as created, updated or unchanged, as the record that it became a part of.
    </Text>
  );
}
