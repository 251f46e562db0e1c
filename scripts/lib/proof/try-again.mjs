import { say } from '../project.mjs';

/** When more fails, it is no accident, and a second try would only take time. */
const MOST = 10;

/**
 * Tries what has failed once more, by itself. What passes then is unsteady.
 * @param stage its name, for the line that says so
 * @param first the report of the first try
 * @param alone `(failed) => report` of a second try, one after the other
 * @returns the report of the stage
 */
export async function tryAgain(stage, first, alone) {
  if (first.code === 0 || first.failed.length === 0 || first.failed.length > MOST) return first;
  say(`${stage}: once more, alone: ${first.failed.join(', ')}`);
  const second = await alone(first.failed);
  // A second try that says nothing of what it tried proves nothing.
  if (second.code !== 0 && second.failed.length === 0) return first;
  return settled(first, second);
}

function settled(first, second) {
  // What could not even be loaded stands for all that is in it.
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
