import { expect, test } from "vitest";

import { remedyOf } from "@/components/migration/report/risk-remedy";
import type { Risk } from "@/lib/migration/report/report-schema";

const ORG = "https://acme.my.salesforce.com";

const risk = (code: string, object: string | null = null) => ({ code, object }) as Risk;

test("a risk that can be mended in the configuration leads to its part, and to its object there", () => {
  expect(remedyOf("m", ORG, risk("files"))).toEqual({
    href: "/migration/m/configure?part=options",
    label: "Configure options",
  });
  expect(remedyOf("m", ORG, risk("picklist_values_unknown", "Case"))?.href).toBe(
    "/migration/m/configure?part=values&object=Case",
  );
  expect(remedyOf("m", ORG, risk("queue_owners"))?.href).toBe("/migration/m/configure?part=owners");
});

test("a risk that is mended in Salesforce leads to another analysis of the same org", () => {
  expect(remedyOf("m", ORG, risk("object_not_readable", "Case"))).toEqual({
    href: "/migration/new?ext_instance_url=https%3A%2F%2Facme.my.salesforce.com",
    label: "Connect and analyze again",
  });
});

test("drafts and attachments that a permission hides lead to another analysis", () => {
  expect(remedyOf("m", ORG, risk("emails_hidden_in_part", "EmailMessage"))?.label).toBe("Connect and analyze again");
});

test("a token that may expire leads to the connect step, and promises no sign-in, which may not be set up", () => {
  expect(remedyOf("m", ORG, risk("token_may_expire"))?.label).toBe("Connect and analyze again");
});

test("a risk about which nothing is to be done here leads nowhere", () => {
  expect(remedyOf("m", ORG, risk("custom_objects"))).toBeNull();
});
