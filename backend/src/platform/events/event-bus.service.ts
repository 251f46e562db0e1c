import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { MarkedMethods } from '../jobs/marked-methods.js';
import type { JobDefinition } from '../jobs/job-definition.js';
import { Jobs } from '../jobs/jobs.service.js';
import { ON_JOB } from '../jobs/on-job.decorator.js';
import type { DomainEvents, EventName } from './domain-events.js';
import { AFTER_COMMIT, ON_EVENT, type EventMethod, type FollowUp } from './on-event.decorator.js';

type Listener = EventMethod<EventName>;

/**
 * Lets modules hear of each other without the earlier one knowing the later: who tells names what happened, and whoever
 * marks a method with `@OnEvent` or `@AfterCommit` is told.
 */
@Injectable()
export class EventBus implements OnModuleInit {
  private readonly listeners = new Map<EventName, Listener[]>();

  constructor(
    private readonly methods: MarkedMethods,
    private readonly jobs: Jobs,
  ) {}

  /** @throws Error when a method is marked with `@AfterCommit` and does no job */
  onModuleInit(): void {
    for (const { mark, call } of this.methods.of<EventName[], Listener>(ON_EVENT)) {
      for (const event of mark) this.add(event, call);
    }
    // After those that take part, because jobs come last in the order of locks.
    for (const { mark, name, alsoMarked } of this.methods.of<FollowUp[], Listener>(AFTER_COMMIT)) {
      const job = alsoMarked<JobDefinition>(ON_JOB);
      if (!job) throw new Error(`${name} is marked @AfterCommit, and with no job by @OnJob.`);
      for (const { event, payloadOf } of mark) this.add(event, (em, told) => this.enqueue(em, job, payloadOf(told)));
    }
  }

  /**
   * Tells all who listen, one after the other in the order of the modules, in the transaction of `em`. What a listener
   * throws is thrown here, so that the transaction fails.
   */
  async tell<E extends EventName>(em: EntityManager, name: E, event: DomainEvents[E]): Promise<void> {
    for (const listener of this.listeners.get(name) ?? []) await listener(em, event);
  }

  private add(event: EventName, listener: Listener): void {
    this.listeners.set(event, [...(this.listeners.get(event) ?? []), listener]);
  }

  private async enqueue(em: EntityManager, job: JobDefinition, payload: object | null): Promise<void> {
    if (payload !== null) await this.jobs.enqueue(em, job, payload);
  }
}
