import { expect, test } from "vitest";

import type { Card, StageSums } from "@/components/records/board/board-queries";
import { movedSums } from "@/components/records/board/moved-sums";

const cardOf = (fields: object) => ({ id: "1", version: 1, stage: "prospecting", ...fields }) as unknown as Card;

const SUMS: StageSums[] = [
  {
    stage: "prospecting",
    opportunities: 3,
    amounts: [
      { currency: "EUR", opportunities: 2, amount: 30.3 },
      { currency: null, opportunities: 1, amount: 5 },
    ],
  },
  { stage: "proposal", opportunities: 1, amounts: [{ currency: "EUR", opportunities: 1, amount: 0.1 }] },
];

test("a card takes its amount to the other stage, to the cent", () => {
  expect(movedSums(SUMS, cardOf({ amount: 10.2, currency: "EUR" }), "proposal")).toEqual([
    {
      stage: "prospecting",
      opportunities: 2,
      amounts: [
        { currency: null, opportunities: 1, amount: 5 },
        { currency: "EUR", opportunities: 1, amount: 20.1 },
      ],
    },
    { stage: "proposal", opportunities: 2, amounts: [{ currency: "EUR", opportunities: 2, amount: 10.3 }] },
  ]);
});

test("the last amount of a currency leaves nothing behind, and a stage without opportunities gets its first", () => {
  const [from, proposal, won] = movedSums(SUMS, cardOf({ amount: 5, currency: null }), "closed_won");
  expect(from?.amounts).toEqual([{ currency: "EUR", opportunities: 2, amount: 30.3 }]);
  expect(proposal).toEqual(SUMS[1]);
  expect(won).toEqual({
    stage: "closed_won",
    opportunities: 1,
    amounts: [{ currency: null, opportunities: 1, amount: 5 }],
  });
});

test("a card without an amount only counts", () => {
  const [from, to] = movedSums(SUMS, cardOf({ amount: null }), "proposal");
  expect([from?.opportunities, to?.opportunities]).toEqual([2, 2]);
  expect([from?.amounts, to?.amounts]).toEqual([SUMS[0]?.amounts, SUMS[1]?.amounts]);
});
