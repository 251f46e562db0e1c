import type { Logger } from '@nestjs/common';

/**
 * Records a failure that is handled afterwards (rethrown, returned to the client or retried). If recording fails, that
 * is logged and never hides the original failure.
 * @param what what is recorded, for the log
 * @param context additional fields for the log
 */
export async function recordFailure(
  logger: Logger,
  what: string,
  record: () => Promise<unknown>,
  context: object = {},
): Promise<void> {
  try {
    await record();
  } catch (recordingError) {
    logger.error({ ...context, err: recordingError }, `Couldn't record ${what}.`);
  }
}
