import type { Card, Stage, StageSums } from "@/components/records/board/board-queries";

/** The sums of the stages after a card has moved, so that they need not be counted again. */
export function movedSums(sums: readonly StageSums[], card: Card, to: Stage): StageSums[] {
  if (card.stage === to) return [...sums];
  const target = sums.find(({ stage }) => stage === to) ?? { stage: to, opportunities: 0, amounts: [] };
  const others = sums.filter(({ stage }) => stage !== to);
  return [
    ...others.map((each) => (each.stage === card.stage ? changed(each, card, -1) : each)),
    changed(target, card, 1),
  ];
}

function changed(sums: StageSums, { amount, currency }: Card, by: 1 | -1): StageSums {
  const opportunities = sums.opportunities + by;
  if (typeof amount !== "number") return { ...sums, opportunities };
  const of = typeof currency === "string" ? currency : null;
  const before = sums.amounts.find((each) => each.currency === of) ?? { currency: of, opportunities: 0, amount: 0 };
  // Cents, because binary fractions do not add up.
  const after = {
    currency: of,
    opportunities: before.opportunities + by,
    amount: Math.round(before.amount * 100 + by * amount * 100) / 100,
  };
  const others = sums.amounts.filter((each) => each.currency !== of);
  return { ...sums, opportunities, amounts: after.opportunities > 0 ? [...others, after] : others };
}
