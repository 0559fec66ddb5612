import type { DuplicateChoices, Winner } from "@/lib/migration/configuration/duplicate-rules";
import { isEmpty } from "@/lib/migration/pipeline/map/convert";

/** One of the records that become one. */
export interface Candidate {
  values: Record<string, unknown>;
  custom: Record<string, unknown>;
  isHere: boolean;
  modifiedAt: number;
}

/**
 * The first record, in the order of the choice, whose value is one. What a column has when the source has nothing
 * (`filler`) is none: so somebody who opted out once stays opted out.
 */
export function choose(
  candidates: readonly Candidate[],
  name: string,
  choices: DuplicateChoices,
  filler: unknown,
  choice: string,
): Candidate | undefined {
  return ordered(candidates, winnerOf(choices, choice), name).find(
    ({ values }) => !isEmpty(values[name]) && values[name] !== filler,
  );
}

/** The value that wins; undefined if no record has one. */
export function chosen(
  candidates: readonly Candidate[],
  name: string,
  choices: DuplicateChoices,
  filler: unknown,
  choice = name,
): unknown {
  return choose(candidates, name, choices, filler, choice)?.values[name];
}

export function winnerOf(choices: DuplicateChoices, name: string): Winner {
  return (Object.hasOwn(choices.fields, name) ? choices.fields[name] : undefined) ?? choices.wins;
}

/** Sorting is stable: among equals the record that stays comes first, and those of the source before ours. */
export function ordered(candidates: readonly Candidate[], winner: Winner, name: string): readonly Candidate[] {
  if (winner === "source") return candidates;
  const weight: Record<typeof winner, (candidate: Candidate) => number> = {
    ours: ({ isHere }) => (isHere ? 1 : 0),
    newest: ({ modifiedAt }) => modifiedAt,
    longest: ({ values }) => lengthOf(values[name]),
  };
  const weigh = weight[winner];
  return candidates.toSorted((one, other) => weigh(other) - weigh(one));
}

function lengthOf(value: unknown): number {
  if (isEmpty(value)) return 0;
  return (typeof value === "string" ? value : JSON.stringify(value)).length;
}
