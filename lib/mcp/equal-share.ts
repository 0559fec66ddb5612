/**
 * The most characters that each of `sizes` may have so that all have at most `total`. Small ones leave more to others.
 */
export function shareOf(sizes: readonly number[], total: number): number {
  const ascending = sizes.toSorted((one, other) => one - other);
  let left = total;
  for (const [index, size] of ascending.entries()) {
    const share = Math.floor(left / (ascending.length - index));
    if (size > share) return Math.max(share, 0);
    left -= size;
  }
  return Number.POSITIVE_INFINITY;
}
