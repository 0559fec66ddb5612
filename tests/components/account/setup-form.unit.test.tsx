import { MantineProvider } from "@mantine/core";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";

import { SetupForm } from "@/components/account/setup-form";

function setupPage(values: Record<string, string> = {}): string {
  return renderToStaticMarkup(
    <MantineProvider>
      <SetupForm values={values} faults={{}} />
    </MantineProvider>,
  );
}

test("the first-run page asks for the setup code, and keeps it when another field is wrong", () => {
  expect(setupPage()).toMatch(/name="setup_code"/);
  expect(setupPage()).toContain("on its console when it starts");
  expect(setupPage({ setup_code: "7F3K-9QWM-X2TD" })).toMatch(/<input[^>]*value="7F3K-9QWM-X2TD"/);
});

test("missing fields are reported in our own words; the browser checks nothing", () => {
  expect(setupPage()).toMatch(/<form[^>]* noValidate=""/);
});
