import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DecoratedMethodExplorer } from '../jobs/decorated-method-explorer.js';
import type { JobDefinition } from '../jobs/job-definition.js';
import { JobsService } from '../jobs/jobs.service.js';
import { ON_JOB } from '../jobs/on-job.decorator.js';
import type { DomainEvents, EventName } from './domain-events.js';
import { AFTER_COMMIT, ON_EVENT, type EventHandler, type FollowUp } from './on-event.decorator.js';

type Listener = EventHandler<EventName>;

/** In-process event bus. Publishers do not know their subscribers; see `@OnEvent` and `@AfterCommit`. */
@Injectable()
export class EventBus implements OnModuleInit {
  private readonly listeners = new Map<EventName, Listener[]>();

  constructor(
    private readonly methodExplorer: DecoratedMethodExplorer,
    private readonly jobs: JobsService,
  ) {}

  /** @throws Error when a method with `@AfterCommit` has no `@OnJob` */
  onModuleInit(): void {
    for (const { metadata, call } of this.methodExplorer.findMethods<EventName[], Listener>(ON_EVENT)) {
      for (const event of metadata) this.addListener(event, call);
    }
    // Added after the other listeners, because jobs come last in the lock order.
    for (const { metadata: mark, name, metadataOf } of this.methodExplorer.findMethods<FollowUp[], Listener>(
      AFTER_COMMIT,
    )) {
      const job = metadataOf<JobDefinition>(ON_JOB);
      if (!job) throw new Error(`${name} is marked @AfterCommit, and with no job by @OnJob.`);
      for (const { event, payloadOf } of mark)
        this.addListener(event, (em, payload) => this.enqueue(em, job, payloadOf(payload)));
    }
  }

  /**
   * Calls all listeners one after the other, in module order, in the transaction of `em`. An error of a listener is
   * rethrown, so that the transaction fails.
   */
  async emit<E extends EventName>(em: EntityManager, name: E, event: DomainEvents[E]): Promise<void> {
    for (const listener of this.listeners.get(name) ?? []) await listener(em, event);
  }

  private addListener(event: EventName, listener: Listener): void {
    this.listeners.set(event, [...(this.listeners.get(event) ?? []), listener]);
  }

  private async enqueue(em: EntityManager, job: JobDefinition, payload: object | null): Promise<void> {
    if (payload !== null) await this.jobs.enqueue(em, job, payload);
  }
}
