/** Prints a figure with its limit; a figure with a null limit is a baseline. */
export function report(what, value, limit, unit, better = 'less', digits = 1) {
  const good = limit === null || (better === 'less' ? value <= limit : value >= limit);
  const bound = limit === null ? '' : `${better === 'less' ? 'at most' : 'at least'} ${limit} ${unit}   `;
  const verdict = limit === null ? '' : good ? 'ok' : 'MISSED';
  console.log(`${what.padEnd(62)} ${value.toFixed(digits).padStart(8)} ${unit.padEnd(4)} ${bound}${verdict}`.trimEnd());
}

/** Runs `work` for each item, `lanes` at a time; returns items per second. */
export async function rate(items, lanes, work) {
  const left = [...items];
  const begun = performance.now();
  const lane = async (_, number) => {
    for (let item = left.pop(); item !== undefined; item = left.pop()) await work(item, number);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return (items.length / (performance.now() - begun)) * 1000;
}

/** Duration of `work` in milliseconds. */
export async function timed(work) {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}
