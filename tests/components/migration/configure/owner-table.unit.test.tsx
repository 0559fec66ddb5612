import { expect, test } from "vitest";

import { EditingContext, type Editing } from "@/components/migration/configure/draft/use-draft";
import { OwnerTable } from "@/components/migration/configure/owners/owner-table";
import { configurationSchema } from "@/lib/migration/configuration/configuration-schema";
import type { ListedOwner } from "@/lib/migration/owners/owners-schema";
import { markupOf } from "@/tests/components/support/app-router";

function owners(count: number): ListedOwner[] {
  const one = { kind: "user", name: "Bo", email: null, is_active: true, records: 1, comments: 0, rule: "nobody" };
  return Array.from({ length: count }, (_, index) => ({ ...one, id: `${index}` }) as unknown as ListedOwner);
}

test.each([
  [51, "And 1 more. Search"],
  [62, "And 12 more. Search"],
])("of %i owners, those that are not listed are counted", (count, words) => {
  const editing = { draft: configurationSchema.parse({}), isLocked: false } as unknown as Editing;
  const markup = markupOf(
    <EditingContext value={editing}>
      <OwnerTable owners={owners(count)} people={[]} />
    </EditingContext>,
  );
  expect(markup.replaceAll("<!-- -->", "")).toContain(words);
});
