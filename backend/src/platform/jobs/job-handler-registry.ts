import { Injectable, type OnModuleInit } from '@nestjs/common';
import { withStatementLimit } from '../database/pool/statement-limit.js';
import { DecoratedMethodExplorer, type DecoratedMethod } from './decorated-method-explorer.js';
import { allJobDefinitions, type JobDefinition } from './job-definition.js';
import { ON_JOB, type JobHandler } from './on-job.decorator.js';

/** Maps jobs to the methods that run them. The application doesn't start if a job has no method, or more than one. */
@Injectable()
export class JobHandlerRegistry implements OnModuleInit {
  private handlers: ReadonlyMap<string, JobHandler<object>> = new Map();

  constructor(private readonly methodExplorer: DecoratedMethodExplorer) {}

  /** @throws Error naming each job without a handler or with several */
  onModuleInit(): void {
    this.handlers = matchHandlers(
      allJobDefinitions(),
      this.methodExplorer.findMethods<JobDefinition, JobHandler<object>>(ON_JOB),
    );
  }

  /** Names of all jobs that this process can run. */
  get names(): string[] {
    return [...this.handlers.keys()];
  }

  /** @throws Error when this process doesn't know the job */
  handlerOf(name: string): JobHandler<object> {
    const handler = this.handlers.get(name);
    if (!handler) throw new Error(`No method does the job "${name}".`);
    return handler;
  }
}

/**
 * Maps each job to the method that runs it.
 * @throws Error with one sentence per job that has no method, or several
 */
export function matchHandlers(
  jobs: JobDefinition[],
  decoratedMethods: DecoratedMethod<JobDefinition, JobHandler<object>>[],
): Map<string, JobHandler<object>> {
  const problems = jobs.flatMap((job) => {
    const methods = decoratedMethods.filter(({ metadata }) => metadata === job);
    if (methods.length === 1) return [];
    const names = methods.map(({ name }) => name).join(', ');
    return methods.length === 0
      ? [`The job "${job.name}" has no handler: no method of a provider is marked @OnJob with it.`]
      : [`The job "${job.name}" has ${methods.length} handlers (${names}); it needs exactly one.`];
  });
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return new Map(decoratedMethods.map(({ metadata, call }) => [metadata.name, withStatementLimitOf(metadata, call)]));
}

/** Wraps the handler of a job that declares its own statement limit. */
function withStatementLimitOf({ statementLimit }: JobDefinition, call: JobHandler<object>): JobHandler<object> {
  if (statementLimit === undefined) return call;
  return (payload, context) => withStatementLimit(statementLimit, () => call(payload, context));
}
