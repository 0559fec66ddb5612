import { MantineProvider } from "@mantine/core";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";

import { ObjectProofs } from "@/components/migration/proof/object-proofs";
import { Verdict } from "@/components/migration/proof/verdict";
import type { ObjectProof, Proof } from "@/lib/migration/proof/proof-schema";

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
