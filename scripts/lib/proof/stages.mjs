import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { say } from '../project.mjs';
import { lastLines } from './reports/last-lines.mjs';
import { report } from './reports/report.mjs';

/** Result of a stage that could not run here. */
export class Skipped {
  constructor(reason) {
    this.reason = reason;
  }
}

/** Default timeout of a stage, in minutes. */
const MINUTES = 60;
/** How long an interrupted stage may take to report unfinished tests, in milliseconds. */
const PATIENCE = 60_000;

/**
 * Runs the stages one after another, even after failures, and prints the summary (last-lines.mjs).
 * @param stages `{name, minutes, run}`, where `run` returns an exit code, a report (report.mjs) or `Skipped`. After
 * `minutes` the AbortSignal passed to `run` is aborted and the stage has failed; `STAGE_MINUTES` overrides the timeout
 * of all stages
 * @param folder for `unsteady.json`: the failures of tests that passed when retried
 * @param patience with an interrupted stage, in milliseconds
 * @returns 0 if none has failed
 */
export async function runStages(stages, folder, patience = PATIENCE) {
  const results = [];
  for (const stage of stages) {
    say(`── ${stage.name} ──`);
    const begun = performance.now();
    const outcome = await runStage(stage, patience);
    results.push({ ...outcome, name: stage.name, seconds: (performance.now() - begun) / 1000 });
  }
  if (folder) writeUnsteady(folder, results);
  for (const line of lastLines(results)) console.log(line);
  return results.some(({ code }) => code !== 0 && code !== undefined) ? 1 : 0;
}

async function runStage({ name, minutes = MINUTES, run }, patience) {
  const limit = new AbortController();
  const allowed = Number(process.env.STAGE_MINUTES ?? minutes);
  const sentence = `did not end within ${allowed} minutes`;
  let interrupted;
  const timer = setTimeout(() => limit.abort(), allowed * 60_000);
  const stuck = new Promise((resolve) => {
    limit.signal.addEventListener('abort', () => {
      say(`${name}: ${sentence}`);
      interrupted = setTimeout(() => resolve(report({ code: 1 })), patience);
    });
  });
  const outcome = run(limit.signal).then(outcomeOf, (error) => thrown(name, error));
  const result = await Promise.race([outcome, stuck]);
  clearTimeout(timer);
  clearTimeout(interrupted);
  return limit.signal.aborted ? late(name, sentence, result) : result;
}

/** Fails the stage whatever its own result: unfinished tests have not passed. */
function late(name, sentence, result) {
  return {
    ...report(result),
    code: 1,
    skipped: undefined,
    failures: [{ where: name, lines: [sentence] }, ...(result.failures ?? [])],
  };
}

function outcomeOf(outcome) {
  if (outcome instanceof Skipped) return { skipped: outcome.reason };
  return typeof outcome === 'number' ? report({ code: outcome }) : judged(outcome);
}

/** Unsteady tests are listed, and fail only strict runs. */
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
