import { expect, test } from "vitest";

import { suggestedChoices } from "@/components/migration/configure/duplicates/suggested-choices";
import { suggestedRules } from "@/lib/migration/configuration/duplicate-rules";

test("suggested are the rules all of whose fields can be compared", () => {
  const byEmail = { match: [{ fields: ["email"] }] };
  expect(suggestedChoices("Contact", ["email", "last_name", "account_id"]).rules).toEqual([byEmail]);
  expect(suggestedChoices("Contact", ["phone"]).rules).toEqual([]);
  const all = ["email", "first_name", "last_name", "account_id"];
  expect(suggestedChoices("Contact", all).rules).toEqual(suggestedRules("Contact"));
});
