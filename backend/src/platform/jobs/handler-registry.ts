import { Injectable, type OnModuleInit } from '@nestjs/common';
import { withStatementLimit } from '../database/pool/long-statements.js';
import { MarkedMethods, type MarkedMethod } from './marked-methods.js';
import { knownJobs, type JobDefinition } from './job-definition.js';
import { ON_JOB, type JobMethod } from './on-job.decorator.js';

/** Which method does which job. The application does not start while a job has none, or two. */
@Injectable()
export class HandlerRegistry implements OnModuleInit {
  private handlers: ReadonlyMap<string, JobMethod<object>> = new Map();

  constructor(private readonly methods: MarkedMethods) {}

  /** @throws Error naming each job without a handler or with several */
  onModuleInit(): void {
    this.handlers = matchHandlers(knownJobs(), this.methods.of<JobDefinition, JobMethod<object>>(ON_JOB));
  }

  /** Names of all jobs that this process can do. */
  get names(): string[] {
    return [...this.handlers.keys()];
  }

  /** @throws Error when this process does not know the job */
  handlerOf(name: string): JobMethod<object> {
    const handler = this.handlers.get(name);
    if (!handler) throw new Error(`No method does the job "${name}".`);
    return handler;
  }
}

/**
 * Gives each job the method that does it.
 * @throws Error with one sentence for each job that has none, or several
 */
export function matchHandlers(
  jobs: JobDefinition[],
  found: MarkedMethod<JobDefinition, JobMethod<object>>[],
): Map<string, JobMethod<object>> {
  const faults = jobs.flatMap((job) => {
    const methods = found.filter(({ mark }) => mark === job);
    if (methods.length === 1) return [];
    const names = methods.map(({ name }) => name).join(', ');
    return methods.length === 0
      ? [`The job "${job.name}" has no handler: no method of a provider is marked @OnJob with it.`]
      : [`The job "${job.name}" has ${methods.length} handlers (${names}); it needs exactly one.`];
  });
  if (faults.length > 0) throw new Error(faults.join('\n'));
  return new Map(found.map(({ mark, call }) => [mark.name, withLimitOf(mark, call)]));
}

/** What does a job whose statements may take longer than others. */
function withLimitOf({ statementLimit }: JobDefinition, call: JobMethod<object>): JobMethod<object> {
  if (statementLimit === undefined) return call;
  return (payload, context) => withStatementLimit(statementLimit, () => call(payload, context));
}
