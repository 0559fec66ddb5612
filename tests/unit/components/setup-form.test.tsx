import { MantineProvider } from "@mantine/core";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";

import { SetupForm } from "@/components/account/setup-form";

function setupPage(needsCode: boolean): string {
  return renderToStaticMarkup(
    <MantineProvider>
      <SetupForm values={{}} faults={{}} needsCode={needsCode} />
    </MantineProvider>,
  );
}

test("the first-run page asks for the setup code only where it is needed, and says where it stands", () => {
  expect(setupPage(true)).toMatch(/name="setup_code"/);
  expect(setupPage(true)).toContain("on its console when it starts");
  expect(setupPage(false)).not.toMatch(/setup.code/i);
});

test("what is missing is told in our own words: the browser checks nothing", () => {
  expect(setupPage(true)).toMatch(/<form[^>]* noValidate=""/);
});
