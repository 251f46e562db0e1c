let missedCount = 0;

/** How many of the printed figures missed their limits. */
export const countMissed = () => missedCount;

/**
 * Prints a figure with its limit and whether the limit is met.
 * @param limit null for a figure without a limit, such as a baseline
 * @param better whether `less` or `more` is better
 */
export function report(label, value, limit, unit, better = 'less', digits = 1) {
  const isMet = limit === null || (better === 'less' ? value <= limit : value >= limit);
  const target = limit === null ? '' : `${better === 'less' ? 'at most' : 'at least'} ${limit} ${unit}   `;
  if (!isMet) missedCount++;
  const verdict = limit === null ? '' : isMet ? 'ok' : 'MISSED';
  console.log(
    `${label.padEnd(62)} ${value.toFixed(digits).padStart(8)} ${unit.padEnd(4)} ${target}${verdict}`.trimEnd(),
  );
}

/**
 * Runs `work` for each item and the index of its worker.
 * @param concurrency number of workers
 * @returns items per second
 */
export async function measureRate(items, concurrency, work) {
  const remaining = [...items];
  const startedAt = performance.now();
  const worker = async (_, workerIndex) => {
    for (let item = remaining.pop(); item !== undefined; item = remaining.pop()) await work(item, workerIndex);
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return (items.length / (performance.now() - startedAt)) * 1000;
}

/** Measures the duration of `work` in milliseconds. */
export async function measureMs(work) {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
