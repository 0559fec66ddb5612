import { Text } from "@mantine/core";
import type { ReactNode } from "react";

import type { Needs } from "@/components/migration/needs";
import { Fact, Facts } from "@/components/ui/layout/facts";
import { formatEstimate, formatNumber } from "@/components/ui/text/format";
import { Moment } from "@/components/ui/text/moment";
import type { Report } from "@/lib/migration/report/report-schema";

interface NeedsFactsProps {
  report: Report;
  needs: Needs;
  /** Facts that come before. */
  children?: ReactNode;
}

/** The time and the API requests of a run, beside those that the org had left when it was analyzed. */
export function NeedsFacts({ report, needs: { seconds, requests }, children }: NeedsFactsProps) {
  const left = report.estimate.api_calls_remaining;
  return (
    <>
      <Facts isShort>
        {children}
        <Fact label="Time">{formatEstimate(seconds)}</Fact>
        <Fact label="API requests">{requests === null ? "not known" : `about ${formatNumber(requests)}`}</Fact>
        <Fact label="Left when the org was analyzed">
          {left === null ? (
            "not known"
          ) : (
            <>
              {formatNumber(left)} on <Moment iso={report.generated_at} />
            </>
          )}
        </Fact>
      </Facts>
      {requests !== null && left !== null && requests > left && (
        <Text size="sm" mt="sm" c="amber">
          The org had too few API requests left when it was analyzed. A run waits when they are used up, and goes on by
          itself.
        </Text>
      )}
    </>
  );
}
