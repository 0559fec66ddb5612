/** The candidate that `name` was probably meant to be, for "did you mean …?"; undefined when none is close. */
export function suggest(name: string, candidates: Iterable<string>): string | undefined {
  if (name.length > 64) return undefined;
  const ranked = [...candidates]
    .filter((candidate) => isComparable(name, candidate))
    .map((candidate) => ({ candidate, edits: editDistance(name.toLowerCase(), candidate.toLowerCase()) }))
    // A candidate of which no letter stays is not meant: one edit makes any letter `q`.
    .filter(({ candidate, edits }) => edits < candidate.length && edits <= maxEdits(candidate))
    .toSorted((a, b) => a.edits - b.edits);
  return ranked[0]?.candidate;
}

function maxEdits(candidate: string): number {
  return Math.max(1, Math.round(candidate.length / 2.5));
}

/** Each character more or less is one edit. */
function isComparable(name: string, candidate: string): boolean {
  return Math.abs(name.length - candidate.length) <= maxEdits(candidate);
}

/** {@link suggest}, or what gives up sooner. */
export type Suggest = typeof suggest;

/**
 * More suggestions than anybody reads; each one is compared with every name there is, and a hostile request could hold
 * 20,000 names.
 */
const MAX_SUGGESTIONS = 10;

/**
 * In pairs of characters, of which a thousand take some 15 µs: an org may have thousands of long names to compare with.
 */
const MAX_COMPARED_PAIRS = 2_000_000;

/** Suggestions for one request: of its first names, and none for those that follow. */
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

/**
 * How many inserted, deleted and replaced characters turn `a` into `b` (Levenshtein), kept as one row of the usual
 * table.
 */
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

/** As long as any name of ours, and any that a custom field can have. */
const MAX_NAME_LENGTH = 255;

/** A name that a client sent, as a refusal repeats it: what is longer than any name has an ellipsis for its end. */
export function truncateName(name: string): string {
  return name.length <= MAX_NAME_LENGTH ? name : `${name.slice(0, MAX_NAME_LENGTH).toWellFormed()}…`;
}
