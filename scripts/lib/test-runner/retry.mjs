import { log } from '../project.mjs';

/** More failures are no coincidence, and a retry would only take time. */
const MAX_RETRIED = 10;

/**
 * Retries what has failed, alone. What passes then is flaky.
 * @param stage its name, for the message
 * @param first the report of the first attempt
 * @param runAlone `(failed) => report` of a second, sequential attempt
 * @returns the report of the stage
 */
export async function retryFailed(stage, first, runAlone) {
  if (first.code === 0 || first.failed.length === 0 || first.failed.length > MAX_RETRIED) return first;
  log(`${stage}: retrying alone: ${first.failed.join(', ')}`);
  const second = await runAlone(first.failed);
  // A second attempt that doesn't say what it ran proves nothing.
  if (second.code !== 0 && second.failed.length === 0) return first;
  return mergeAttempts(first, second);
}

function mergeAttempts(first, second) {
  // A suite that failed to load counts for all its tests.
  const failsAgain = ({ name }) =>
    second.failures.some((failure) => name === failure.name || name.startsWith(`${failure.name} › `));
  const passed = first.counts.passed + first.counts.failed - second.counts.failed;
  return {
    ...first,
    code: second.code,
    failures: second.failures,
    flaky: [...first.flaky, ...first.failures.filter((failure) => !failsAgain(failure)), ...second.flaky],
    counts: { passed, failed: second.counts.failed },
  };
}
