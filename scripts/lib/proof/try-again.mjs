import { say } from '../project.mjs';

/** More failures are no coincidence, and a retry would only take time. */
const MOST = 10;

/**
 * Retries what has failed, alone. What passes then is unsteady.
 * @param stage its name, for the message
 * @param first the report of the first attempt
 * @param alone `(failed) => report` of a second, sequential attempt
 * @returns the report of the stage
 */
export async function tryAgain(stage, first, alone) {
  if (first.code === 0 || first.failed.length === 0 || first.failed.length > MOST) return first;
  say(`${stage}: once more, alone: ${first.failed.join(', ')}`);
  const second = await alone(first.failed);
  // A second attempt that doesn't say what it ran proves nothing.
  if (second.code !== 0 && second.failed.length === 0) return first;
  return settled(first, second);
}

function settled(first, second) {
  // A suite that failed to load counts for all its tests.
  const failsAgain = ({ where }) =>
    second.failures.some((one) => where === one.where || where.startsWith(`${one.where} › `));
  const passed = first.counts.passed + first.counts.failed - second.counts.failed;
  return {
    ...first,
    code: second.code,
    failures: second.failures,
    unsteady: [...first.unsteady, ...first.failures.filter((one) => !failsAgain(one)), ...second.unsteady],
    counts: { passed, failed: second.counts.failed },
  };
}
