import { MantineProvider } from "@mantine/core";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";

import { WaitingAlert } from "@/components/migration/waiting-alert";
import type { Migration } from "@/lib/migration/migration-schema";

type Waiting = NonNullable<Migration["waiting"]>;

const SINCE = { since: "2026-11-25T08:00:00.000Z", reason: "It is away.", next_attempt_at: null };

function shown(waiting: Waiting, isRenewable?: boolean): string {
  return renderToStaticMarkup(
    <MantineProvider>
      <WaitingAlert waiting={waiting} {...(isRenewable !== undefined && { isRenewable })} />
    </MantineProvider>,
  );
}

test("a migration that waits says for what: the service itself, its turn, Salesforce, or API requests", () => {
  expect(shown({ ...SINCE, for: "job_engine" })).toContain("Waiting to go on");
  expect(shown({ ...SINCE, for: "job_engine" })).not.toContain("quarter of an hour");
  expect(shown({ ...SINCE, for: "other_analysis" })).toContain("Waiting for its turn");
  expect(shown({ ...SINCE, for: "salesforce" })).toContain("Salesforce does not answer");
  expect(shown({ ...SINCE, for: "api_requests", next_attempt_at: SINCE.since })).toContain("Waiting for API requests");
});

test("a run that waits for API requests with a token says that this may expire meanwhile", () => {
  const waiting: Waiting = { ...SINCE, for: "api_requests", next_attempt_at: SINCE.since };
  expect(shown(waiting, false)).toContain("If its access token has expired by then, it pauses");
  expect(shown(waiting, true)).not.toContain("expired");
});
