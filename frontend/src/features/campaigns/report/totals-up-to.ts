/** `[3, 0, 2]` becomes `[3, 3, 5]`. */
export function totalsUpTo(counts: readonly number[]): number[] {
  let total = 0;
  return counts.map((count) => (total += count));
}
