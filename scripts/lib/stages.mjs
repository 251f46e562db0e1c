import { say } from './project.mjs';

/** What a stage gives instead of an exit code when it could not be done here. */
export class Skipped {
  constructor(reason) {
    this.reason = reason;
  }
}

/**
 * Runs the stages one after another, whatever comes of each, and then says in a line a stage how it went.
 * @param stages `{name, run}`, where run gives an exit code or Skipped
 * @returns 0 when none has failed
 */
export async function runStages(stages) {
  const results = [];
  for (const { name, run } of stages) {
    say(`── ${name} ──`);
    const begun = performance.now();
    const outcome = await run().catch((error) => {
      console.error(error.message);
      return 1;
    });
    results.push({ name, outcome, seconds: (performance.now() - begun) / 1000 });
  }
  console.log('');
  for (const result of results) console.log(lineOf(result));
  const failed = results.filter(({ outcome }) => outcome !== 0 && !(outcome instanceof Skipped));
  console.log(failed.length === 0 ? '\nEverything passed.' : `\nFailed: ${failed.map(({ name }) => name).join(', ')}.`);
  return failed.length === 0 ? 0 : 1;
}

function lineOf({ name, outcome, seconds }) {
  if (outcome instanceof Skipped) return `  skipped  ${name.padEnd(10)} ${outcome.reason}`;
  return `  ${outcome === 0 ? 'passed ' : 'FAILED '}  ${name.padEnd(10)} ${seconds.toFixed(1)} s`;
}
