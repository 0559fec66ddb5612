import type { Comparison, ObjectProof, Proof } from "@/lib/migration/proof/proof-schema";

export function comparisonsOf({ relationships, amounts, picklists }: ObjectProof): Comparison[] {
  return [...relationships, ...amounts, ...picklists];
}

/** How many records a proof found missing, and how many groups of records it found to differ. */
export function differencesIn({ objects }: Pick<Proof, "objects">): number {
  return objects.reduce(
    (sum, object) => sum + object.missing + comparisonsOf(object).reduce((all, { different }) => all + different, 0),
    0,
  );
}
