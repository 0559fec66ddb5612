import { Alert } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useState } from "react";

import { formatMoment } from "@/components/ui/text/format";

/**
 * A second rotation within a day ends the first one's old secret, which receivers may still verify by. `until`: for so
 * long it would sign.
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
