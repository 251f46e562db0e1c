import { SetMetadata } from '@nestjs/common';
import type { JobContext, JobDefinition } from './job-definition.js';

export const ON_JOB = 'zonary:on-job';

/** A method that does a job. */
export type JobHandler<P extends object> = (payload: P, context: JobContext) => Promise<unknown>;

/**
 * Marks the one method, of a provider, that does the jobs of a definition. It may run more than once for the same job (a
 * crash between the work and its record), so doing it again must do no harm. It runs in a request context of its own;
 * throwing means "try again later".
 */
export function OnJob<P extends object>(definition: JobDefinition<P>) {
  return <M extends JobHandler<P>>(target: object, name: string, method: TypedPropertyDescriptor<M>): void => {
    SetMetadata(ON_JOB, definition)(target, name, method);
  };
}
