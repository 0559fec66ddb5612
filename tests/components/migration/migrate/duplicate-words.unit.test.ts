import { expect, test } from "vitest";

import { duplicatesInWords } from "@/components/migration/migrate/duplicate-words";
import { configurationSchema } from "@/lib/migration/configuration/configuration-schema";

const rules = [{ match: [{ fields: ["name"] }] }];

const words = (...choices: object[]) => {
  const [Account, Contact] = choices;
  return duplicatesInWords(configurationSchema.parse({ objects: { Account, Contact } }));
};

test("before the start, rules that make fewer records are told, of the objects that are selected", () => {
  expect(words({ duplicates: { rules } })).toContain("Duplicates that your rules find are merged, so fewer");
  expect(words({ duplicates: { rules } }, { duplicates: { rules, action: "skip" } })).toContain("merged or skipped");
  expect(words({ duplicates: { rules, action: "create" } }, { duplicates: { action: "update" } })).toBeNull();
  expect(words({ selected: false, duplicates: { rules } })).toBeNull();
});
