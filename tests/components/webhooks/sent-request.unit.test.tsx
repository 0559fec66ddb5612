import { MantineProvider } from "@mantine/core";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";

import { SentRequest } from "@/components/settings/webhooks/delivery/sent-request";

const REQUEST = {
  url: "https://hooks.example.com/crm",
  headers: { "webhook-id": "019d017a-68dc-77d3-9554-c1f60638d6d7" },
};

function shown(body: { type: string } | null): string {
  return renderToStaticMarkup(
    <MantineProvider>
      <SentRequest request={{ ...REQUEST, body }} />
    </MantineProvider>,
  );
}

test("the request is shown with its event, or with the reason why there is none", () => {
  const [kept, gone] = [shown({ type: "case.created" }), shown(null)];
  expect(kept).toContain("case.created");
  expect(kept).not.toContain("no longer kept");
  expect(gone).toContain("The event is no longer kept");
  for (const page of [kept, gone]) expect(page).toContain(REQUEST.headers["webhook-id"]);
});
