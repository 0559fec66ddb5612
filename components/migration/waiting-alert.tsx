import { Alert } from "@mantine/core";

import { Moment } from "@/components/ui/text/moment";
import type { Migration } from "@/lib/migration/migration-schema";

interface WaitingAlertProps {
  waiting: NonNullable<Migration["waiting"]>;
  /** Whether its access to Salesforce renews itself. Only runs wait for API requests, so only they have to say. */
  isRenewable?: boolean;
}

/** What a migration waits for, and that it goes on by itself. */
export function WaitingAlert({ waiting, isRenewable = true }: WaitingAlertProps) {
  const { since, reason, next_attempt_at: next } = waiting;
  if (waiting.for === "job_engine" || waiting.for === "other_analysis")
    return (
      <Alert color="amber" title={waiting.for === "job_engine" ? "Waiting to go on" : "Waiting for its turn"}>
        {reason} Since <Moment iso={since} />.
      </Alert>
    );
  return waiting.for === "salesforce" ? (
    <Alert color="amber" title="Salesforce does not answer; trying again">
      {reason} Since <Moment iso={since} />. After a quarter of an hour the migration stops, and can be run again;
      nothing is imported twice.
    </Alert>
  ) : (
    <Alert color="amber" title="Waiting for API requests">
      {reason} The migration looks again{" "}
      {next === null ? (
        "now"
      ) : (
        <>
          at <Moment iso={next} />
        </>
      )}{" "}
      and then goes on by itself.
      {!isRenewable && " If its access token has expired by then, it pauses until the org is connected again."}
    </Alert>
  );
}
