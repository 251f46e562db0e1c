import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { say } from '../project.mjs';
import { lastLines } from './last-lines.mjs';
import { report } from './report.mjs';

/** What a stage gives instead when it could not be done here. */
export class Skipped {
  constructor(reason) {
    this.reason = reason;
  }
}

/**
 * Runs the stages one after another, whatever comes of each, and ends with why what failed did (last-lines.mjs).
 * @param stages `{name, run}`, where run gives an exit code, a report (report.mjs) or Skipped
 * @param folder where `unsteady.json` goes: the failures of what passed when it was tried once more
 * @returns 0 when none has failed
 */
export async function runStages(stages, folder) {
  const results = [];
  for (const { name, run } of stages) {
    say(`── ${name} ──`);
    const begun = performance.now();
    const outcome = await run().then(outcomeOf, (error) => thrown(name, error));
    results.push({ ...outcome, name, seconds: (performance.now() - begun) / 1000 });
  }
  if (folder) writeUnsteady(folder, results);
  for (const line of lastLines(results)) console.log(line);
  return results.some(({ code }) => code !== 0 && code !== undefined) ? 1 : 0;
}

function outcomeOf(outcome) {
  if (outcome instanceof Skipped) return { skipped: outcome.reason };
  return typeof outcome === 'number' ? report({ code: outcome }) : judged(outcome);
}

/** What is unsteady is named, and fails a strict run only. */
function judged(outcome) {
  if (process.env.STRICT !== '1' || outcome.unsteady.length === 0) return outcome;
  return { ...outcome, code: 1, failures: [...outcome.unsteady, ...outcome.failures] };
}

function thrown(name, error) {
  console.error(error.message);
  return report({ code: 1, failures: [{ where: name, lines: [error.message] }] });
}

function writeUnsteady(folder, results) {
  mkdirSync(folder, { recursive: true });
  const unsteady = results.flatMap((result) => (result.unsteady ?? []).map((one) => ({ stage: result.name, ...one })));
  writeFileSync(join(folder, 'unsteady.json'), `${JSON.stringify(unsteady, null, 2)}\n`);
}
