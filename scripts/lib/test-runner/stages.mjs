import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { log } from '../project.mjs';
import { formatSummary } from './reports/summary.mjs';
import { createReport } from './reports/report.mjs';

/** Result of a stage that could not run here. */
export class Skipped {
  constructor(reason) {
    this.reason = reason;
  }
}

/** Default timeout of a stage, in minutes. */
const DEFAULT_MINUTES = 60;
/** How long an interrupted stage may take to report unfinished tests, in milliseconds. */
const REPORT_TIMEOUT_MS = 60_000;

/**
 * Runs the stages one after another, even after failures, and prints the summary (summary.mjs).
 * @param stages `{name, minutes, run}`, where `run` returns an exit code, a report (report.mjs) or `Skipped`. After
 * `minutes` the AbortSignal passed to `run` is aborted and the stage has failed; `STAGE_MINUTES` overrides the timeout
 * of all stages
 * @param folder for `flaky.json`: the failures of tests that passed when retried
 * @param reportTimeout how long an interrupted stage may take to return its report, in milliseconds
 * @returns 0 if none has failed
 */
export async function runStages(stages, folder, reportTimeout = REPORT_TIMEOUT_MS) {
  const results = [];
  for (const stage of stages) {
    log(`── ${stage.name} ──`);
    const startedAt = performance.now();
    const outcome = await runStage(stage, reportTimeout);
    results.push({ ...outcome, name: stage.name, seconds: (performance.now() - startedAt) / 1000 });
  }
  if (folder) writeFlakyTests(folder, results);
  for (const line of formatSummary(results)) console.log(line);
  return results.some(({ code }) => code !== 0 && code !== undefined) ? 1 : 0;
}

async function runStage({ name, minutes = DEFAULT_MINUTES, run }, reportTimeout) {
  const controller = new AbortController();
  const limit = Number(process.env.STAGE_MINUTES ?? minutes);
  const message = `timed out after ${limit} minutes`;
  let reportTimer;
  const timer = setTimeout(() => controller.abort(), limit * 60_000);
  const hung = new Promise((resolve) => {
    controller.signal.addEventListener('abort', () => {
      log(`${name}: ${message}`);
      reportTimer = setTimeout(() => resolve(createReport({ code: 1 })), reportTimeout);
    });
  });
  const outcome = run(controller.signal).then(toReport, (error) => toErrorReport(name, error));
  const result = await Promise.race([outcome, hung]);
  clearTimeout(timer);
  clearTimeout(reportTimer);
  return controller.signal.aborted ? failTimedOut(name, message, result) : result;
}

/** Fails the stage whatever its own result: unfinished tests have not passed. */
function failTimedOut(name, message, result) {
  return {
    ...createReport(result),
    code: 1,
    skipped: undefined,
    failures: [{ name, lines: [message] }, ...(result.failures ?? [])],
  };
}

function toReport(outcome) {
  if (outcome instanceof Skipped) return { skipped: outcome.reason };
  return typeof outcome === 'number' ? createReport({ code: outcome }) : applyStrictMode(outcome);
}

/** Flaky tests are listed, and fail only strict runs. */
function applyStrictMode(report) {
  if (process.env.STRICT !== '1' || report.flaky.length === 0) return report;
  return { ...report, code: 1, failures: [...report.flaky, ...report.failures] };
}

function toErrorReport(name, error) {
  console.error(error.message);
  return createReport({ code: 1, failures: [{ name, lines: [error.message] }] });
}

function writeFlakyTests(folder, results) {
  mkdirSync(folder, { recursive: true });
  const flaky = results.flatMap((result) => (result.flaky ?? []).map((test) => ({ stage: result.name, ...test })));
  writeFileSync(join(folder, 'flaky.json'), `${JSON.stringify(flaky, null, 2)}\n`);
}
