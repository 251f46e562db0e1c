import type { Logger } from '@nestjs/common';

/**
 * Records a failure, a refusal or what follows from one, where the failure itself is thrown, answered or tried again
 * afterwards. A fault of the recording is logged and never replaces that failure.
 * @param what is recorded, for the log
 * @param facts that the log shows beside the fault
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
    logger.error({ ...context, err: recordingError }, `Could not record ${what}.`);
  }
}
