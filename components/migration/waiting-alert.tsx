import { Alert } from "@mantine/core";

import { Moment } from "@/components/ui/text/moment";
import type { Migration } from "@/lib/migration/migration-schema";

/** What a migration waits for, and that it goes on by itself. */
export function WaitingAlert({ waiting }: { waiting: NonNullable<Migration["waiting"]> }) {
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
    </Alert>
  );
}
