import { expect, test } from "vitest";

import type { AppError } from "@/lib/errors";
import { parseInput } from "@/lib/input/parse-input";
import { previewMigration } from "@/lib/migration/preview/preview-migration";

test("a wrong Salesforce id of a preview is refused by name, at its place", () => {
  const ids = ["001xx000003DGb1", "foo"];
  const asked = { migration_id: "01890000-0000-7000-8000-000000000000", object: "Account", ext_ids: ids };
  const detail = "“foo” is no Salesforce id: 15 or 18 letters and digits.";
  expect(() => parseInput(previewMigration.input, asked, "Not valid.")).toThrow(
    expect.objectContaining<Partial<AppError>>({
      errors: [{ pointer: "/ext_ids/1", code: "invalid_format", detail }],
    }),
  );
});
