import { expect, test } from "vitest";

import { comparableFields } from "@/lib/migration/configuration/comparable-fields";
import { CUSTOM_FIELDS, CUSTOM_PREFIX } from "@/lib/migration/configuration/custom-fields";
import { suggestTarget } from "@/lib/migration/configuration/mapping-rules";
import { SOURCE_OBJECTS } from "@/lib/migration/objects/source-objects";
import { planObject } from "@/lib/migration/pipeline/map/plan";
import { DATA_OBJECTS } from "@/sandbox-org/objects/registry";
import { describeField } from "@/sandbox-org/schema/describe-field";

test.each([
  ["Account", {}],
  ["Contact", {}],
  ["Case", {}],
  ["Account", { Fax: "phone", Name: null, Website: CUSTOM_FIELDS }],
] as const)("rules of %s can name the fields that a run with the choices %j gives values", (object, fields) => {
  const described = (DATA_OBJECTS.get(object.toLowerCase())?.fields ?? []).map(describeField) as {
    name: string;
    type: string;
  }[];
  const reported = described.map((field) => ({
    source: field.name,
    type: field.type,
    target: suggestTarget(SOURCE_OBJECTS[object], field).target,
  }));
  // A field that is left out is not compared, though a rule of the mapping may read it.
  const filled = planObject(object, described, { fields }).main.fields.map(({ source, target }) =>
    target === CUSTOM_FIELDS ? CUSTOM_PREFIX + source : target,
  );
  expect(filled.length).toBeGreaterThan(10);
  expect(comparableFields(object, reported, fields).toSorted()).toEqual(filled.toSorted());
});
