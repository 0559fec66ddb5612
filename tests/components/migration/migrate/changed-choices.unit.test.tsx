import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";

import { ChangedChoices } from "@/components/migration/migrate/outcome/changed-choices";
import type { Migration } from "@/lib/migration/migration-schema";

function shown(changed: Record<string, boolean>, connected = true): string {
  const objects = Object.entries(changed).map(([object, isChanged]) => ({ object, choices_changed: isChanged }));
  const migration = { migration_id: "01890000-0000-7000-8000-000000000000", connected, objects } as Migration;
  return renderToStaticMarkup(
    <QueryClientProvider client={new QueryClient()}>
      <MantineProvider>
        <p>
          <ChangedChoices migration={migration} />
        </p>
      </MantineProvider>
    </QueryClientProvider>,
  );
}

test("names the objects whose choices were changed, and offers the run that applies them", () => {
  const words = shown({ Contact: true, Case: true, Account: false });
  expect(words).toContain("This concerns Contacts and Cases:");
  expect(words).toContain("Run again");
  expect(words).not.toContain("disabled");
});

test("offers no run while the org is disconnected", () => {
  expect(shown({ Contact: true }, false)).toContain("disabled");
});

test("says nothing where nothing was changed", () => {
  expect(shown({ Contact: false })).not.toContain("concerns");
});
