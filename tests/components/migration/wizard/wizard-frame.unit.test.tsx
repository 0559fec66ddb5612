import { QueryClient } from "@tanstack/react-query";
import { LayoutRouterContext } from "next/dist/shared/lib/app-router-context.shared-runtime";
import { resolveTitle } from "next/dist/lib/metadata/resolvers/resolve-title";
import type { ComponentProps } from "react";
import { expect, test } from "vitest";

import { titleWith } from "@/app/(console)/migration/[id]/current-migration";
import { queryKeys } from "@/components/api/query-keys";
import { WizardFrame } from "@/components/migration/wizard/wizard-frame";
import type { MigrationStatus } from "@/lib/migration/migration-schema";
import { markupOf } from "@/tests/components/support/app-router";

const ID = "01890000-0000-7000-8000-000000000000";

/** Where the router is: at the page of a proof. */
const AT_PROOF = {
  parentTree: [ID, { children: ["proof", { children: ["__PAGE__", {}] }] }],
  parentRenderTree: { data: {} },
} as unknown as ComponentProps<typeof LayoutRouterContext>["value"];

function shown(status: MigrationStatus, run: number): string {
  const queries = new QueryClient();
  const migration = { migration_id: ID, status, run_number: run, ext_instance_url: "https://acme.example" };
  queries.setQueryData(queryKeys.migration(ID), migration);
  return markupOf(
    <LayoutRouterContext value={AT_PROOF}>
      <WizardFrame id={ID} canSignIn={false}>
        <p>The proof</p>
      </WizardFrame>
    </LayoutRouterContext>,
    queries,
  );
}

test.each(["completed", "running", "paused", "undoing", "undone"] as const)(
  "whoever reads a proof stays there while the migration is %s: a delta may start by itself",
  (status) => {
    expect(shown(status, 1)).toContain("The proof");
  },
);

test("the status stands in a region of which screen readers tell the changes, such as the end of a run", () => {
  const region = /<output>(.*?)<\/output>/.exec(shown("completed", 1))?.[1] ?? "";
  expect(region).toContain("Completed");
});

test.each(["Acme", "100%sure", "A$&B"])("the title of a step names its org as it is: %j", (org) => {
  const ofFrame = resolveTitle(titleWith(org), "%s · CRM");
  expect(ofFrame.absolute).toContain(`${org} · `);
  const { absolute } = resolveTitle("Report", ofFrame.template);
  expect(absolute.replaceAll("\u2060", "")).toContain(`Report · ${org} · `);
});

test("before the first run there is no page of a proof", () => {
  expect(shown("ready", 0)).not.toContain("The proof");
});

test.each([
  ["ready", true],
  ["paused", true],
  ["completed", true],
  ["failed", true],
  ["analyzing", false],
  ["analysis_failed", false],
  ["running", false],
  ["undoing", false],
  ["undone", false],
] as const)("whether a migration that is %s can be given new access: %s", (status, isOffered) => {
  expect(shown(status, 1).includes("Give new access")).toBe(isOffered);
});
