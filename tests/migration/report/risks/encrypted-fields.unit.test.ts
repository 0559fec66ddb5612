import { expect, test } from "vitest";

import type { ReportFacts } from "@/lib/migration/report/facts";
import { maskedFields } from "@/lib/migration/report/risks/encrypted-fields";
import { ScriptedSource } from "@/tests/migration/support/scripted-source";

const field = (source: string, type: string) => ({ source, type });

const MAPPINGS = {
  Account: { fields: [field("Name", "string")] },
  Contact: { fields: [field("Passport__c", "encryptedstring"), field("TaxNumber__c", "encryptedstring")] },
};

function risksFor(permissions: object | null, mappings: object = MAPPINGS) {
  const client = new ScriptedSource(
    permissions === null ? {} : { UserPermissionAccess: [{ Id: "1", ...permissions }] },
  );
  return maskedFields({ client, mappings } as unknown as ReportFacts);
}

test.each([
  ["lacks the permission", { PermissionsViewEncryptedData: false }],
  ["may lack the permission, of which the org says nothing", null],
])("encrypted fields are warned of where the user %s", async (_, permissions) => {
  expect(await risksFor(permissions)).toMatchObject([
    {
      severity: "warning",
      object: "Contact",
      title: "Contacts: the Salesforce user sees only masks in 2 encrypted fields",
      detail: expect.stringContaining("Passport__c, TaxNumber__c"),
      recommended_action: expect.stringMatching(/^Give the user “View Encrypted Data”/),
    },
  ]);
});

test("nothing is said of encrypted fields that the user sees, and nothing asked where there are none", async () => {
  expect(await risksFor({ PermissionsViewEncryptedData: true })).toEqual([]);
  const client = new ScriptedSource({});
  const facts = { client, mappings: { Account: MAPPINGS.Account } } as unknown as ReportFacts;
  expect([await maskedFields(facts), client.requests]).toEqual([[], 0]);
});
