/** Most lines about failures: of a long log, often only the end is kept. */
const LINES = 120;
const SLOWEST = 10;

/**
 * Summary at the end of a run: slowest tests, failures with reasons, one line per stage, unsteady tests and the
 * verdict.
 * @param results `{name, seconds}` of each stage with its report (report.mjs), or the reason it was skipped
 */
export function lastLines(results) {
  const stages = results.filter(({ skipped }) => skipped === undefined);
  const all = (part) => stages.flatMap((stage) => stage[part]);
  const total = (kind) => stages.reduce((sum, { counts }) => sum + counts[kind], 0);
  const failed = stages.filter(({ code }) => code !== 0);
  return [
    ...slowest(all('times')),
    ...failures(all('failures')),
    '',
    ...results.map(lineOf),
    '',
    `tests: ${total('passed')} passed, ${total('failed')} failed`,
    unsteady(all('unsteady')),
    failed.length === 0 ? 'Everything passed.' : `Failed: ${failed.map(({ name }) => name).join(', ')}.`,
  ];
}

function slowest(times) {
  if (times.length === 0) return [];
  const first = times.toSorted((a, b) => b.seconds - a.seconds).slice(0, SLOWEST);
  return ['', 'Slowest:', ...first.map(({ name, seconds }) => `  ${seconds.toFixed(1).padStart(6)} s  ${name}`)];
}

function failures(list) {
  if (list.length === 0) return [];
  const told = [];
  let count = 0;
  for (const { where, lines } of list) {
    const next = [`  ● ${where}`, ...lines.map((line) => `      ${line}`)];
    if (told.length + next.length > LINES) break;
    told.push(...next);
    count += 1;
  }
  const more = list.length - count;
  return ['', 'What failed:', ...told, ...(more > 0 ? [`  and ${more} more`] : [])];
}

/** Below the stages, so that it survives in a log of which only the end is kept. */
function unsteady(list) {
  const names = [...new Set(list.map(({ where }) => where))];
  return names.length === 0 ? 'unsteady: none' : `unsteady (mend before anything else): ${names.join(', ')}`;
}

function lineOf({ name, code, skipped, seconds }) {
  if (skipped !== undefined) return `  skipped  ${name.padEnd(10)} ${skipped}`;
  return `  ${code === 0 ? 'passed ' : 'FAILED '}  ${name.padEnd(10)} ${seconds.toFixed(1)} s`;
}
