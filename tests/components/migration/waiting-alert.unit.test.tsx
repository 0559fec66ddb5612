import { MantineProvider } from "@mantine/core";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";

import { WaitingAlert } from "@/components/migration/waiting-alert";
import type { Migration } from "@/lib/migration/migration-schema";

type Waiting = NonNullable<Migration["waiting"]>;

const SINCE = { since: "2026-11-25T08:00:00.000Z", reason: "It is away.", next_attempt_at: null };

function shown(waiting: Waiting): string {
  return renderToStaticMarkup(
    <MantineProvider>
      <WaitingAlert waiting={waiting} />
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
