import { MantineProvider } from "@mantine/core";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";

import { ConsentForm } from "@/components/account/consent-form";

test("names cannot reverse the text of the sentences around them", () => {
  const page = renderToStaticMarkup(
    <MantineProvider>
      <ConsentForm
        requestId="request"
        token="token"
        clientName="تقارير"
        redirectHost="app.example"
        permissions={["Read all records"]}
        scopes={["crm:read"]}
        person={{ email: "ada@example.com", organization: "חברה" }}
      />
    </MantineProvider>,
  );
  for (const name of ["تقارير", "חברה"]) {
    expect(page).toContain(`<bdi>${name}</bdi>`);
    expect(page.replaceAll(`<bdi>${name}</bdi>`, "")).not.toContain(name);
  }
});
