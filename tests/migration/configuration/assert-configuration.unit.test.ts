import { expect, test } from "vitest";

import { objectFaults } from "@/lib/migration/configuration/assert-configuration";
import { type Configuration, configurationSchema } from "@/lib/migration/configuration/configuration-schema";
import { AUTOMATIC_OBJECTS } from "@/lib/migration/objects/source-object-names";
import type { Report } from "@/lib/migration/report/report-schema";

/** The maximum of fields that a source may describe, with long, similar names. */
const FIELDS = Array.from({ length: 2000 }, (_, number) => ({
  source: `A_long_name_that_is_like_all_the_others_${number}__c`,
  label: "A label",
  type: "string",
  custom: true,
  target: "custom_fields",
  confidence: "custom" as const,
  note: null,
  samples: [],
}));

const OBJECT = { label: "", custom: false, count: 0, compatibility: "auto", resource: null, reason: "", left_out: [] };
const inventory = AUTOMATIC_OBJECTS.map((object) => ({ ...OBJECT, object, status: "automatic", fields: FIELDS }));
const report = { inventory } as unknown as Report;

/**
 * More than fits into a body (`lib/http/api/json-body.ts`): 1,750 choices of fields and 1,750 of values for each of
 * seven objects.
 */
function choosing(fields: (source: string) => [string, string], values: (source: string) => string): Configuration {
  const chosen = {
    fields: Object.fromEntries(FIELDS.slice(0, 1750).map(({ source }) => fields(source))),
    values: Object.fromEntries(FIELDS.slice(250).map(({ source }) => [values(source), {}])),
  };
  return configurationSchema.parse({
    objects: Object.fromEntries(AUTOMATIC_OBJECTS.map((object) => [object, chosen])),
  });
}

const misspelt = (source: string) => source.replace("long", "lnog");

test.each([
  ["of fields that are there", choosing((source) => [source, "custom_fields"], String), 0],
  ["of fields that are not", choosing((source) => [misspelt(source), "custom_fields"], misspelt), 100],
  ["of targets that are not", choosing((source) => [source, "nowhere"], String), 100],
])("24,500 choices %s are checked in a tenth of a second", (_, given, faults) => {
  const start = process.threadCpuUsage();
  const found = objectFaults(given, report);
  const { user, system } = process.threadCpuUsage(start);
  // A refusal shows a hundred of them.
  expect(Math.min(found.length, 100)).toBe(faults);
  // Microseconds, with a margin for slow machines.
  expect(user + system).toBeLessThan(400_000);
});
