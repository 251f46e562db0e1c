import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService, Reflector } from '@nestjs/core';
import { knownJobs, type JobDefinition } from './job-definition.js';
import { JOB_HANDLER, type Handles } from './job-handler.decorator.js';

type Handler = Handles<object>;
type Found = readonly [JobDefinition, Handler];

/** Which provider does which job. The application does not start while a job has none, or two. */
@Injectable()
export class HandlerRegistry implements OnModuleInit {
  private handlers: ReadonlyMap<string, Handler> = new Map();

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly reflector: Reflector,
  ) {}

  /** @throws Error naming each job without a handler or with several */
  onModuleInit(): void {
    this.handlers = matchHandlers(knownJobs(), this.discover());
  }

  /** Names of all jobs that this process can do. */
  get names(): string[] {
    return [...this.handlers.keys()];
  }

  /** @throws Error when this process does not know the job */
  handlerOf(name: string): Handler {
    const handler = this.handlers.get(name);
    if (!handler) throw new Error(`No handler does the job "${name}".`);
    return handler;
  }

  private discover(): Found[] {
    return this.discovery.getProviders().flatMap(({ metatype, instance }): Found[] => {
      if (typeof metatype !== 'function') return [];
      const definition = this.reflector.get<JobDefinition | undefined>(JOB_HANDLER, metatype);
      return definition ? [[definition, instance as Handler]] : [];
    });
  }
}

/**
 * Gives each job its handler.
 * @throws Error with one sentence for each job that has none, or several
 */
export function matchHandlers(jobs: JobDefinition[], found: Found[]): Map<string, Handler> {
  const faults = jobs.flatMap((job) => {
    const handlers = new Set(found.filter(([definition]) => definition === job).map(([, handler]) => handler));
    if (handlers.size === 1) return [];
    const names = [...handlers].map((handler) => handler.constructor.name).join(', ');
    return handlers.size === 0
      ? [`The job "${job.name}" has no handler: no provider of the application is marked @JobHandler with it.`]
      : [`The job "${job.name}" has ${handlers.size} handlers (${names}); it needs exactly one.`];
  });
  if (faults.length > 0) throw new Error(faults.join('\n'));
  return new Map(found.map(([definition, handler]) => [definition.name, handler]));
}
