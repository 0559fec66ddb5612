import { expect, test } from "vitest";

import { describeVisible } from "@/lib/migration/pipeline/read/visible-fields";
import { SalesforceError } from "@/lib/salesforce/errors";
import { ScriptedSource } from "@/tests/migration/support/scripted-source";

const PASSPORT = "Passport_Encrypted__c";

function orgWith(permissions: Record<string, unknown>[] | undefined): ScriptedSource {
  const record = { Id: "1", [PASSPORT]: "C01X" };
  return new ScriptedSource({
    Contact: [record],
    Lead: [record],
    ...(permissions && { UserPermissionAccess: permissions }),
  });
}

async function namesOf(source: ScriptedSource, object: string): Promise<string[]> {
  return (await describeVisible(source, object)).map(({ name }) => name);
}

test.each([
  ["permits them", [{ Id: "1", PermissionsViewEncryptedData: true }], ["Id", PASSPORT]],
  ["does not", [{ Id: "1", PermissionsViewEncryptedData: false }], ["Id"]],
  ["refuses to say", undefined, ["Id"]],
])("of encrypted fields a run has those that the org permits, which is asked once: it %s", async (_, given, names) => {
  const source = orgWith(given);
  let asked = 0;
  source.beforeQuery = () => void (asked += 1);
  expect([await namesOf(source, "Contact"), await namesOf(source, "Lead")]).toEqual([names, names]);
  expect(asked).toBe(1);
});

test("an org that fails at saying so leaves no field out: it is asked again", async () => {
  const source = orgWith([{ Id: "1", PermissionsViewEncryptedData: true }]);
  const failure = new SalesforceError("source_error", "Down.", { status: 500, errorCode: "UNKNOWN_EXCEPTION" });
  source.beforeQuery = () => {
    throw failure;
  };
  await expect(namesOf(source, "Contact")).rejects.toBe(failure);
  source.beforeQuery = () => undefined;
  expect(await namesOf(source, "Contact")).toEqual(["Id", PASSPORT]);
});
