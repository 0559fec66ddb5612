import { AnalyzeAgain, ConnectAgain } from "@/components/migration/connect-again";
import { FailureAlert, needsAccess } from "@/components/migration/failure-alert";
import type { Migration } from "@/lib/migration/migration-schema";

/** Why the analysis stopped, and a button to analyze the same org again: with new access only if that helps. */
export function AnalysisFailed({ migration: { failure, ext_instance_url: instanceUrl } }: { migration: Migration }) {
  const Again = needsAccess(failure) ? ConnectAgain : AnalyzeAgain;
  return (
    <FailureAlert title="The analysis stopped" failure={failure}>
      <Again instanceUrl={instanceUrl} />
    </FailureAlert>
  );
}
