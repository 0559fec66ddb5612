import { expect, test } from "vitest";

import { describeScopes } from "@/lib/oauth/scopes";

test("consent to reading says that files are read as well", () => {
  const said = describeScopes(["crm:read"], "member").join("; ");
  expect(said).toMatch(/^Read accounts, .*, and download their files;/);
  expect(said).not.toMatch(/change|delete/i);
});

test("consent to writing says what it can take away: records, and the access to Salesforce orgs", () => {
  const said = describeScopes(["crm:read", "crm:write"], "member").join("; ");
  expect(said).toMatch(/^Read and change accounts, .*, delete and restore them, and download their files;/);
  expect(said).toContain("Connect and disconnect Salesforce orgs");
  expect(said).not.toMatch(/undo|webhook|sign in/i);
});

test("an admin's consent to writing names what only admins may do: webhooks, undoing for good, and members", () => {
  const said = describeScopes(["crm:write"], "admin").join("; ");
  expect(said).toContain("Create, change and delete webhooks");
  expect(said).toContain("Undo migrations, which deletes for good what they created");
  expect(said).toContain("Add users of a Salesforce org as members who cannot sign in until an admin invites them");
});

test.each([["crm:read"], ["crm:write"]] as const)("a client with %s may do more than read products", (scope) => {
  expect(describeScopes([scope, "erp:read"], "member")).toEqual(describeScopes([scope], "member"));
  expect(describeScopes(["erp:read"], "member").join()).toContain("and no other records");
});
