import { expect, test } from "vitest";

import { configurationSchema } from "@/lib/migration/configuration/configuration-schema";
import { withoutChoices } from "@/lib/migration/configuration/void-choices";

const rule = (...fields: string[]) => ({ match: [{ fields }] });

test("a rule with a void field is left out whole, and the others stay", () => {
  const rules = [rule("name", "fax"), rule("phone"), rule("fax", "website")];
  const given = configurationSchema.parse({ objects: { Account: { duplicates: { rules } } } });
  const pointers = [0, 2].flatMap((at) => [0, 1].map((field) => `${at}/match/0/fields/${field}`));
  const left = withoutChoices(
    given,
    pointers.map((at) => `/objects/Account/duplicates/rules/${at}`),
  );
  expect(left.objects.Account?.duplicates?.rules.map(({ match }) => match[0]?.fields)).toEqual([["phone"]]);
});
