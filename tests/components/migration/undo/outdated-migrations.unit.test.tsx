import { MantineProvider } from "@mantine/core";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";

import { OutdatedMigrations } from "@/components/migration/undo/outdated-migrations";

function shown(count: number): string {
  const migrations = Array.from({ length: count }, (_, index) => ({
    migration_id: `01890000-0000-7000-8000-00000000000${index}`,
    created_at: "2026-11-25T08:00:00.000Z",
    finished_at: index === 0 ? null : "2026-11-25T09:00:00.000Z",
  }));
  return renderToStaticMarkup(
    <MantineProvider>
      <p>
        <OutdatedMigrations migrations={migrations} />
      </p>
    </MantineProvider>,
  );
}

test("the question before an undo names the other migrations that may count the same records", () => {
  expect(shown(2)).toContain("2 other migrations of this org may have counted these records");
  expect(shown(2).match(/href="\/migration\/[0-9a-f-]{36}\/migrate"/g)).toHaveLength(2);
  expect(shown(2).match(/finished on/g)).toHaveLength(1);
});

test("five of many are named, and the others counted", () => {
  expect(shown(7).match(/href/g)).toHaveLength(5);
  expect(shown(7)).toContain("2 others");
});

test("where no other migration is concerned, nothing is said", () => {
  expect(shown(0)).not.toContain("other");
});
