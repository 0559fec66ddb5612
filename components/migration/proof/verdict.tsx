import { Alert } from "@mantine/core";
import { IconAlertTriangle, IconCircleCheck, IconScale } from "@tabler/icons-react";

import { differencesIn } from "@/components/migration/proof/differences";
import { Announcement } from "@/components/ui/feedback/announcement";
import { formatCount } from "@/components/ui/text/format";
import type { Proof } from "@/lib/migration/proof/proof-schema";

/** What a proof says as a whole, or how far it has come. */
export function Verdict({ proof }: { proof: Proof }) {
  if (proof.status === "pending") {
    const objects = formatCount(proof.objects.length, "object");
    return (
      <Alert color="gray" title="Comparing with Salesforce" icon={<IconScale aria-hidden />}>
        {proof.objects.length > 0 ? `${objects} compared so far.` : "This takes some minutes for a large org."}
        <Announcement>{objects} compared</Announcement>
      </Alert>
    );
  }
  if (proof.proven && proof.outdated_by_undo)
    return (
      <Alert color="gray" title="Everything was here, before an undo" icon={<IconScale aria-hidden />}>
        Each record of Salesforce was here or was left out with a reason. An undo may have taken records out since.
      </Alert>
    );
  if (proof.proven)
    return (
      <Alert color="pine" title="Everything is here" icon={<IconCircleCheck aria-hidden />}>
        Each record of Salesforce is here or was left out with a reason, and what was compared agrees.
      </Alert>
    );
  if (differencesIn(proof) === 0)
    return (
      <Alert color="amber" title="Not everything could be compared" icon={<IconAlertTriangle aria-hidden />}>
        Nothing that was compared is missing or differs. See below what was not compared, and why.
      </Alert>
    );
  return (
    <Alert color="rust" title="Not everything agrees" icon={<IconAlertTriangle aria-hidden />}>
      See below what is missing or differs. Records that were changed here or in Salesforce after the run differ. Run
      the migration again to bring what has changed in Salesforce, then compare again.
    </Alert>
  );
}
