import { FailureAlert } from "@/components/migration/failure-alert";
import { LinkButton } from "@/components/shell/link-button";
import type { Migration } from "@/lib/migration/schemas";

/** Why the analysis stopped, and the way to try it again: with a fresh way into the same org. */
export function AnalysisFailed({ migration }: { migration: Migration }) {
  return (
    <FailureAlert title="The analysis stopped" failure={migration.failure}>
      <LinkButton href={`/migration/new?instance_url=${encodeURIComponent(migration.instance_url)}`} size="sm">
        Connect again
      </LinkButton>
    </FailureAlert>
  );
}
