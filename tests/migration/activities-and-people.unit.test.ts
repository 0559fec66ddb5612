import { expect, test } from "vitest";

import type { ReportFacts } from "@/lib/migration/report/facts";
import { hiddenEmails } from "@/lib/migration/report/risks/activities-and-people";
import { ScriptedSource } from "@/tests/migration/support/scripted-source";

test.each<[whom: string, found: { allowed: boolean; count: number | null; readable?: boolean }, warnings: number]>([
  ["a user without the permission", { allowed: false, count: 3 }, 1],
  ["a user without the permission, of e-mails that could not be counted", { allowed: false, count: null }, 1],
  ["a user with the permission", { allowed: true, count: 3 }, 0],
  ["an org without e-mails", { allowed: false, count: 0 }, 0],
  ["a user who cannot read e-mails at all", { allowed: false, count: null, readable: false }, 0],
])("%s: hidden drafts and attachments make %s", async (_whom, { allowed, readable = true, count }, warnings) => {
  const client = new ScriptedSource({ UserPermissionAccess: [{ Id: "1", PermissionsModifyAllData: allowed }] });
  const survey = { objects: [{ name: "EmailMessage", count, readable }] };
  const risks = await hiddenEmails({ client, survey } as unknown as ReportFacts);
  expect(risks.map(({ detail }) => detail)).toEqual(
    Array.from({ length: warnings }, () => expect.stringMatching(/drafts .*attachments/) as string),
  );
});
