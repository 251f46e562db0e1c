import { applyDecorators, Injectable, SetMetadata, type Type } from '@nestjs/common';
import type { JobContext, JobDefinition } from './job-definition.js';

export const JOB_HANDLER = 'zonary:job-handler';

/**
 * Does a job. It may run more than once for the same job (a crash between the work and its record), so doing it
 * again must do no harm. It runs in a request context of its own; throwing means "try again later".
 */
export interface Handles<P extends object> {
  handle(payload: P, context: JobContext): Promise<void>;
}

/** Marks the one provider that does the jobs of a definition. */
export function JobHandler<P extends object>(definition: JobDefinition<P>) {
  return (target: Type<Handles<P>>): void =>
    applyDecorators(Injectable(), SetMetadata(JOB_HANDLER, definition))(target);
}
