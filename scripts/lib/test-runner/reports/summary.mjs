/** Most lines about failures: of a long log, often only the end is kept. */
const MAX_LINES = 120;
const MAX_SLOWEST = 10;

/**
 * Formats the summary at the end of a run: slowest tests, failures with reasons, one line per stage, flaky tests and
 * the overall result.
 * @param results `{name, seconds}` of each stage with its report (report.mjs), or the reason it was skipped
 * @returns the lines
 */
export function formatSummary(results) {
  const stages = results.filter(({ skipped }) => skipped === undefined);
  const collect = (field) => stages.flatMap((stage) => stage[field]);
  const total = (kind) => stages.reduce((sum, { counts }) => sum + counts[kind], 0);
  const failedStages = stages.filter(({ code }) => code !== 0);
  return [
    ...formatSlowest(collect('times')),
    ...formatFailures(collect('failures')),
    '',
    ...results.map(formatStage),
    '',
    `tests: ${total('passed')} passed, ${total('failed')} failed`,
    formatFlaky(collect('flaky')),
    failedStages.length === 0 ? 'Everything passed.' : `Failed: ${failedStages.map(({ name }) => name).join(', ')}.`,
  ];
}

function formatSlowest(times) {
  if (times.length === 0) return [];
  const slowest = times.toSorted((a, b) => b.seconds - a.seconds).slice(0, MAX_SLOWEST);
  return ['', 'Slowest:', ...slowest.map(({ name, seconds }) => `  ${seconds.toFixed(1).padStart(6)} s  ${name}`)];
}

function formatFailures(failures) {
  if (failures.length === 0) return [];
  const output = [];
  let count = 0;
  for (const { name, lines } of failures) {
    const next = [`  ● ${name}`, ...lines.map((line) => `      ${line}`)];
    if (output.length + next.length > MAX_LINES) break;
    output.push(...next);
    count += 1;
  }
  const rest = failures.length - count;
  return ['', 'Failures:', ...output, ...(rest > 0 ? [`  and ${rest} more`] : [])];
}

/** Below the stages, so that it survives in a log of which only the end is kept. */
function formatFlaky(flaky) {
  const names = [...new Set(flaky.map(({ name }) => name))];
  return names.length === 0 ? 'flaky: none' : `flaky (fix before anything else): ${names.join(', ')}`;
}

function formatStage({ name, code, skipped, seconds }) {
  if (skipped !== undefined) return `  skipped  ${name.padEnd(10)} ${skipped}`;
  return `  ${code === 0 ? 'passed ' : 'FAILED '}  ${name.padEnd(10)} ${seconds.toFixed(1)} s`;
}
