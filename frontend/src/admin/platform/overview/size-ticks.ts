/** Tick positions of an axis in bytes: round numbers of the unit they are formatted in. */
export function computeSizeTicks(maxBytes: number): number[] {
  const unit = 1024 ** Math.min(3, Math.floor(Math.log2(Math.max(maxBytes, 1)) / 10));
  const minStep = Math.max(maxBytes / unit / 4, 1 / unit);
  const magnitude = 10 ** Math.floor(Math.log10(minStep));
  const step = [1, 2, 5, 10].find((multiple) => multiple * magnitude >= minStep)! * magnitude * unit;
  return Array.from({ length: Math.max(1, Math.ceil(maxBytes / step)) + 1 }, (_, index) => index * step);
}
