import { MantineProvider } from "@mantine/core";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";

import { ComparedFields } from "@/components/migration/proof/compared-fields";
import { ObjectProofs } from "@/components/migration/proof/object-proofs";
import { Verdict } from "@/components/migration/proof/verdict";
import type { ObjectProof, Proof } from "@/lib/migration/proof/proof-schema";
import { markupOf } from "@/tests/components/support/app-router";

function shown(proof: object): string {
  const whole = { status: "done", proven: false, objects: [], not_read: [], ...proof } as unknown as Proof;
  return renderToStaticMarkup(
    <MantineProvider>
      <Verdict proof={whole} />
    </MantineProvider>,
  );
}

const compared = (missing: number) => ({ missing, relationships: [], amounts: [], picklists: [] });

test("a proof that found nothing, because a run did not read everything, speaks of no differences", () => {
  const words = shown({ objects: [compared(0)], not_read: ["Contact"] });
  expect(words).toContain("Not everything could be compared");
  expect(words).not.toContain("Not everything agrees");
});

test("one that misses a record says so, and one that is proven that everything is here", () => {
  expect(shown({ objects: [compared(1)] })).toContain("Not everything agrees");
  expect(shown({ proven: true, objects: [compared(0)] })).toContain("Everything is here");
});

test("what was proven before an undo no longer says that everything is here", () => {
  const words = shown({ proven: true, objects: [compared(0)], outdated_by_undo: true });
  expect(words).toContain("Everything was here, before an undo");
  expect(words).not.toContain("Everything is here");
});

test.each([
  [{}, "not all fields compared"],
  [{ not_compared: { records: 2, reason: "edited here" } }, "not compared: 2 records"],
  [
    { missing: 1, amounts: [{ field: "Amount", different: 1, compared: 2, differences: [] }] },
    "1 missing; differs: Amount",
  ],
])("an object with %o is told apart from one that agrees", (found, note) => {
  const digests = { source: "", accounted_for: "" };
  const object = { object: "Account", ...compared(0), digests, not_in_source: null, proven: false, ...found };
  const words = renderToStaticMarkup(
    <MantineProvider>
      <ObjectProofs objects={[object as unknown as ObjectProof]} />
    </MantineProvider>,
  );
  expect(words).toContain(note);
  expect(words).not.toContain("0 missing");
});

const linkOf = (field: string, parent?: string) => ({ field, parent, compared: 1, different: 0, differences: [] });

function fieldsOf(...relationships: object[]): string {
  const item = { object: "Task", ...compared(0), relationships } as unknown as ObjectProof;
  return markupOf(<ComparedFields item={item} />).replaceAll(/<[^>]*>/g, " ");
}

test("a field that is compared for each object that it names is told apart by that object", () => {
  const words = fieldsOf(linkOf("WhoId", "Lead"), linkOf("WhoId", "Contact"), linkOf("AccountId", "Account"));
  expect(words).toMatch(/WhoId, to Leads.*WhoId, to Contacts.*AccountId/);
  expect(words).not.toContain("AccountId, to");
  expect(fieldsOf(linkOf("WhoId"), linkOf("WhoId"))).not.toContain(", to");
});

test("both numbers of what differs stand in columns of their own", () => {
  const differences = [{ key: "001Hs0000000001AAA", source: 0, here: 1 }];
  const relationships = [{ field: "ParentId", compared: 1, different: 1, differences, not_compared_because: null }];
  const words = markupOf(
    <ComparedFields item={{ object: "Account", ...compared(0), relationships } as unknown as ObjectProof} />,
  );
  expect(words).toMatch(/In Salesforce<\/th>.*Here<\/th>/);
  expect(words).toContain("001Hs0000000001AAA</bdi>");
  expect(words).not.toContain("Not compared because");
});
