/** Where an axis of bytes that reaches `most` has its marks: at round figures of the unit in which they are written. */
export function sizeTicks(most: number): number[] {
  const unit = 1024 ** Math.min(3, Math.floor(Math.log2(Math.max(most, 1)) / 10));
  const rough = Math.max(most / unit / 4, 1 / unit);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].find((round) => round * power >= rough)! * power * unit;
  return Array.from({ length: Math.max(1, Math.ceil(most / step)) + 1 }, (_, at) => at * step);
}
