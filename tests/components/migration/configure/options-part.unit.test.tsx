import { expect, test } from "vitest";

import { type Editing, EditingContext } from "@/components/migration/configure/draft/use-draft";
import { OptionsPart } from "@/components/migration/configure/options/options-part";
import { configurationSchema } from "@/lib/migration/configuration/configuration-schema";
import { markupOf } from "@/tests/components/support/app-router";

const NONE_KEPT = "None can be copied: this service keeps no files.";

function shown(keepsFiles: boolean, renewable = true): string {
  const editing: Partial<Editing> = {
    migration: { connected: true, renewable } as Editing["migration"],
    draft: configurationSchema.parse({}),
    report: { estimate: { files: null }, risks: [], inventory: [] } as unknown as Editing["report"],
    keepsFiles,
    isLocked: false,
  };
  return markupOf(
    <EditingContext value={editing as Editing}>
      <OptionsPart />
    </EditingContext>,
  );
}

test("copying files is offered only where the service keeps files", () => {
  expect(shown(true)).not.toContain(NONE_KEPT);
  expect(shown(false)).toContain(NONE_KEPT);
  expect(shown(false).match(/disabled=""/g)?.length).toBe((shown(true).match(/disabled=""/g)?.length ?? 0) + 1);
});

test("a limit of API requests is offered with what happens to an access token meanwhile", () => {
  expect(shown(true, false)).toContain("If the access token expires meanwhile");
  expect(shown(true)).not.toContain("expires");
});
