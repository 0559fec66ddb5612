import { expect, test } from "vitest";

import { remedyOf } from "@/components/migration/report/risk-remedy";
import type { Risk } from "@/lib/migration/report/report-schema";

const risk = (code: string, object: string | null = null) => ({ code, object }) as Risk;

test("a risk that can be mended in the configuration leads to its part, and to its object there", () => {
  expect(remedyOf("m", risk("files"))).toEqual({
    href: "/migration/m/configure?part=options",
    label: "Configure options",
  });
  expect(remedyOf("m", risk("picklist_values_unknown", "Case"))?.href).toBe(
    "/migration/m/configure?part=values&object=Case",
  );
  expect(remedyOf("m", risk("queue_owners"))?.href).toBe("/migration/m/configure?part=owners");
});

test("a risk that only Salesforce can mend leads nowhere", () => {
  expect(remedyOf("m", risk("object_not_readable", "Case"))).toBeNull();
});
