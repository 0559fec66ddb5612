/** The candidate that `name` was probably meant to be, for "did you mean …?"; undefined when none is close. */
export function suggest(name: string, candidates: Iterable<string>): string | undefined {
  if (name.length > 64) return undefined;
  const ranked = [...candidates]
    .filter((candidate) => isComparable(name, candidate))
    .map((candidate) => ({ candidate, edits: editDistance(name.toLowerCase(), candidate.toLowerCase()) }))
    // A candidate of which no letter remains is not meant: one edit turns any letter into `q`.
    .filter(({ candidate, edits }) => edits < candidate.length && edits <= maxEdits(candidate))
    .toSorted((a, b) => a.edits - b.edits);
  return ranked[0]?.candidate;
}

function maxEdits(candidate: string): number {
  return Math.max(1, Math.round(candidate.length / 2.5));
}

/** Each character of difference in length is one edit. */
function isComparable(name: string, candidate: string): boolean {
  return Math.abs(name.length - candidate.length) <= maxEdits(candidate);
}

/** The end of a refusal: a question for the suggestion; without one, `otherwise`. */
export function didYouMean(suggestion: string | undefined, otherwise = "."): string {
  return suggestion === undefined ? otherwise : `; did you mean \`${suggestion}\`?`;
}

/** {@link suggest}, or a variant that stops sooner. */
export type Suggest = typeof suggest;

/**
 * Nobody reads more. Each suggestion compares with every name there is, and a hostile request could contain 20,000
 * names.
 */
const MAX_SUGGESTIONS = 10;

/** The most pairs of characters; a thousand take about 15 µs. An org may have thousands of long names to compare. */
const MAX_COMPARED_PAIRS = 2_000_000;

/** Suggestions for one request: for its first names, and none for the rest. */
export function boundedSuggest(): Suggest {
  let left = MAX_SUGGESTIONS;
  let pairs = MAX_COMPARED_PAIRS;
  return (name, candidates) => {
    if (left-- <= 0) return undefined;
    const comparable = [...candidates].filter((candidate) => isComparable(name, candidate));
    pairs -= comparable.reduce((sum, { length }) => sum + length * Math.min(name.length, 64), 0);
    return pairs < 0 ? undefined : suggest(name, comparable);
  };
}

/** The Levenshtein distance of two texts, computed with one row of the usual table. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [index, character] of [...a].entries()) {
    const next = [index + 1];
    for (const [column, other] of [...b].entries()) {
      const replaced = (row[column] ?? 0) + (character === other ? 0 : 1);
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** No name of ours is longer, and no custom field can have a longer one. */
const MAX_NAME_LENGTH = 255;

/**
 * A name that a client sent, as a refusal repeats it: truncated, with an ellipsis, where it is longer than any name.
 */
export function truncateName(name: string): string {
  return name.length <= MAX_NAME_LENGTH ? name : `${name.slice(0, MAX_NAME_LENGTH).toWellFormed()}…`;
}
