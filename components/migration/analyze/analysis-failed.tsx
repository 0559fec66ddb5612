import { ConnectAgain } from "@/components/migration/connect-again";
import { FailureAlert } from "@/components/migration/failure-alert";
import type { Migration } from "@/lib/migration/migration-schema";

/** Why the analysis stopped, and a button to connect the same org again. */
export function AnalysisFailed({ migration }: { migration: Migration }) {
  return (
    <FailureAlert title="The analysis stopped" failure={migration.failure}>
      <ConnectAgain instanceUrl={migration.ext_instance_url} />
    </FailureAlert>
  );
}
