import { ConnectAgain } from "@/components/migration/connect-again";
import { FailureAlert } from "@/components/migration/failure-alert";
import type { Migration } from "@/lib/migration/migration-schema";

/** Why the analysis stopped, and the way to try it again: with a fresh way into the same org. */
export function AnalysisFailed({ migration }: { migration: Migration }) {
  return (
    <FailureAlert title="The analysis stopped" failure={migration.failure}>
      <ConnectAgain instanceUrl={migration.ext_instance_url} />
    </FailureAlert>
  );
}
