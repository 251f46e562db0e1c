import { SetMetadata } from '@nestjs/common';
import type { JobContext, JobDefinition } from './job-definition.js';

export const ON_JOB = 'zonary:on-job';

/** A method that runs a job. */
export type JobHandler<P extends object> = (payload: P, context: JobContext) => Promise<unknown>;

/**
 * Marks the provider method that runs the jobs of a definition. It may run more than once for the same job (after a
 * crash before the result is recorded), so it must be idempotent. It runs in its own request context. Throwing
 * schedules a retry.
 */
export function OnJob<P extends object>(definition: JobDefinition<P>) {
  return <M extends JobHandler<P>>(target: object, name: string, method: TypedPropertyDescriptor<M>): void => {
    SetMetadata(ON_JOB, definition)(target, name, method);
  };
}
