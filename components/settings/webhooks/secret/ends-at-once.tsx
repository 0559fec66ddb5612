import { Alert } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useState } from "react";

import { formatMoment } from "@/components/ui/text/format";

/**
 * Warns that a second rotation within a day ends the previous secret, with which receivers may still verify. It would
 * sign until `until`.
 */
export function EndsAtOnce({ until }: { until: string | null }) {
  const [now] = useState(Date.now);
  if (until === null || Date.parse(until) <= now) return null;
  return (
    <Alert
      color="amber"
      title="The secret before the current one ends at once"
      icon={<IconAlertTriangle aria-hidden />}
    >
      It still signs, until {formatMoment(until)}. When you rotate now it stops signing at once, and receivers that know
      no other refuse every delivery. Replace it there first, or wait until then.
    </Alert>
  );
}
