/** The sum of counts; null if one of them is missing, because a part would look like the whole. */
export function wholeSum(counts: readonly (number | null)[]): number | null {
  return counts.reduce((sum, count) => (sum === null || count === null ? null : sum + count), 0);
}
