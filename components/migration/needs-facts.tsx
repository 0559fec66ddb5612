import { Text } from "@mantine/core";
import type { ReactNode } from "react";

import type { Needs } from "@/components/migration/needs";
import { Fact, Facts } from "@/components/ui/layout/facts";
import { formatEstimate, formatNumber } from "@/components/ui/text/format";
import type { Report } from "@/lib/migration/report/report-schema";

interface NeedsFactsProps {
  report: Report;
  needs: Needs;
  /** Facts that come before. */
  children?: ReactNode;
}

/** The time and the API requests of a run, beside those that the org has left. */
export function NeedsFacts({ report, needs: { seconds, requests }, children }: NeedsFactsProps) {
  const left = report.estimate.api_calls_remaining;
  return (
    <>
      <Facts isShort>
        {children}
        <Fact label="Time">{formatEstimate(seconds)}</Fact>
        <Fact label="API requests">{requests === null ? "not known" : `about ${formatNumber(requests)}`}</Fact>
        <Fact label="Left in the org today">{left === null ? "not known" : formatNumber(left)}</Fact>
      </Facts>
      {requests !== null && left !== null && requests > left && (
        <Text size="sm" mt="sm" c="amber">
          The org has too few API requests left today. A run waits when they are used up, and goes on by itself.
        </Text>
      )}
    </>
  );
}
