import { createHash } from "node:crypto";

import { expect, test } from "vitest";

import { IMPORT_ORDER } from "@/lib/migration/objects/source-object-names";
import { planObject } from "@/lib/migration/pipeline/map/plan";
import { MAPPING_VERSION } from "@/lib/migration/pipeline/map/source-digest";
import { transform } from "@/lib/migration/pipeline/map/transform";
import { NOBODY } from "@/lib/migration/pipeline/read/people";
import { countOf, recordAt } from "@/sandbox-org/generator/record-at";
import { describeField } from "@/sandbox-org/schema/describe-field";
import { DATA_OBJECTS } from "@/sandbox-org/objects/registry";

const SIZE = 2000;

const ORGANIZATION = "01890000-0000-7000-8000-000000000000";

/** What records of each object are mapped to, in short. */
function mappings(): string {
  const hash = createHash("sha256");
  for (const object of IMPORT_ORDER) {
    const described = (DATA_OBJECTS.get(object.toLowerCase())?.fields ?? []).map(describeField) as {
      name: string;
      type: string;
    }[];
    const plan = planObject(object, described);
    for (let n = 0; n < Math.min(500, countOf(7, SIZE, object).total); n += 1) {
      const outcome = transform(plan, recordAt(7, SIZE, object, n), NOBODY, ORGANIZATION);
      hash.update(JSON.stringify("row" in outcome ? [outcome.row, outcome.alias] : outcome.issue));
    }
  }
  return hash.digest("hex").slice(0, 16);
}

test("whoever changes what records are mapped to raises MAPPING_VERSION, so that new runs map them again", () => {
  // If only the sandbox org's records have changed, the version stays and the checksum changes.
  expect([MAPPING_VERSION, mappings()]).toEqual([10, "e3d80d82363b066d"]);
});
