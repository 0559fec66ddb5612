import { expect, test } from "vitest";

import { connectedInWords, ReconnectForm } from "@/components/migration/control/reconnect-form";
import type { Migration } from "@/lib/migration/migration-schema";
import { markupOf } from "@/tests/components/support/app-router";

const words = (migration: object) => connectedInWords(migration as Migration);

test("with new access, a run that stopped is to be run again, but not what an undo that stopped has taken out", () => {
  expect(words({ status: "failed", undo: null })).toContain("Run the migration again");
  expect(words({ status: "failed", undo: { failed: true } })).not.toContain("Run the migration again");
  expect(words({ status: "running", undo: null })).not.toContain("Run the migration again");
});

test("the region in which screen readers are told of new access is there before there is any", () => {
  const migration = { migration_id: "a", connected_as: null, ext_instance_url: "https://acme.example" } as Migration;
  const markup = markupOf(<ReconnectForm migration={migration} onClose={() => undefined} />);
  expect(markup).toMatch(/<output[^>]*><\/output>/);
});
