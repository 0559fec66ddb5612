import { MantineProvider } from "@mantine/core";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";

import { Attempts } from "@/components/settings/webhooks/delivery/attempts";

const ATTEMPT = {
  number: 140,
  attempted_at: "2026-03-18T15:04:58.222Z",
  url: "https://hooks.example.com/crm",
  status: 502,
  error: "The endpoint answered 502; a delivery needs a 2xx.",
  latency_ms: 88,
  response_headers: null,
  response_body: null,
};

const DELIVERY = {
  event_id: "019d017a-68dc-77d3-9554-c1f60638d6d7",
  event: "case.created",
  state: "failed" as const,
  created_at: ATTEMPT.attempted_at,
  next_attempt_at: null,
  last_attempt: ATTEMPT,
  request: { url: ATTEMPT.url, headers: {}, body: null },
};

const shown = (attempts: number) =>
  renderToStaticMarkup(
    <MantineProvider>
      <Attempts delivery={{ ...DELIVERY, attempts, attempts_log: [ATTEMPT] }} action={null} />
    </MantineProvider>,
  );

test("the attempts say that they are the last ones, where there are more", () => {
  expect(shown(1)).toContain("Newest first.");
  expect(shown(1_140)).toContain("The last 1 of 1,140, newest first.");
});
