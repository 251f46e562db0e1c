import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, type Provider } from '@nestjs/common';
import { MINUTE } from '../../src/platform/clock/clock.js';
import { inTransaction } from '../../src/platform/database/transaction.js';
import { EventBus } from '../../src/platform/events/event-bus.js';
import { AfterCommit, OnEvent } from '../../src/platform/events/on-event.decorator.js';
import { defineJob } from '../../src/platform/jobs/job-definition.js';
import { JobsService } from '../../src/platform/jobs/jobs.service.js';
import { OnJob } from '../../src/platform/jobs/on-job.decorator.js';
import { JobRunner } from '../../src/platform/jobs/running/job-runner.js';
import { JobsPlatform } from './jobs-app.js';

interface TestEvent {
  readonly n: number;
}

declare module '../../src/platform/events/domain-events.js' {
  interface DomainEvents {
    'test.happened': TestEvent;
    'test.ended': { readonly why: string };
  }
}

const followUp = defineJob<TestEvent>('test.follow-up', { queue: 'default' });
const other = defineJob<TestEvent>('test.other', { queue: 'default' });
const calls: string[] = [];

@Injectable()
class Later {
  @OnJob(followUp)
  @AfterCommit('test.happened', ({ n }) => (n > 0 ? { n } : null))
  async follow({ n }: TestEvent): Promise<void> {
    calls.push(`after ${n}`);
  }
}

@Injectable()
class First {
  constructor(private readonly jobs: JobsService) {}

  @OnEvent('test.happened')
  async write(em: EntityManager, { n }: TestEvent): Promise<void> {
    calls.push(`first ${n}`);
    await this.jobs.enqueue(em, other, { n });
  }

  @OnJob(other)
  async doOther({ n }: TestEvent): Promise<void> {
    calls.push(`other ${n}`);
  }
}

@Injectable()
class Second {
  @OnEvent('test.happened')
  @OnEvent('test.ended')
  async reject(_em: EntityManager, payload: TestEvent | { readonly why: string }): Promise<void> {
    if ('why' in payload) return void calls.push(`ended ${payload.why}`);
    calls.push(`second ${payload.n}`);
    if (payload.n === 13) throw new Error('not thirteen');
  }
}

// After the transactional listeners, whatever the order of the providers.
const providers: Provider[] = [EventBus, Later, First, Second];

describe('EventBus', () => {
  let platform: JobsPlatform;
  let em: EntityManager;
  let bus: EventBus;
  let runner: JobRunner;

  const emitTestEvent = (n: number) => inTransaction(em.fork(), (tx) => bus.emit(tx, 'test.happened', { n }));

  beforeAll(async () => {
    platform = await JobsPlatform.open();
  });
  afterAll(() => platform.close());

  beforeEach(async () => {
    await platform.reset();
    calls.length = 0;
    const app = await platform.start({ providers });
    [em, bus, runner] = [app.get(EntityManager).fork(), app.get(EventBus), app.get(JobRunner)];
  });

  it('calls listeners in provider order within the transaction, and jobs only afterwards', async () => {
    await inTransaction(em, async (tx) => {
      await bus.emit(tx, 'test.happened', { n: 1 });
      expect(calls).toEqual(['first 1', 'second 1']);
      expect(await platform.count('jobs')).toBe(0);
      expect((await runner.drain()).ran).toBe(0);
    });
    expect((await platform.query('select name from jobs order by id')).map(({ name }) => name)).toEqual([
      'test.other',
      'test.follow-up',
    ]);
    expect((await runner.drain()).ran).toBe(2);
    expect(calls).toEqual(['first 1', 'second 1', 'other 1', 'after 1']);
  });

  it('rolls back the transaction when a listener throws', async () => {
    await expect(emitTestEvent(13)).rejects.toThrow('not thirteen');
    expect(await platform.count('jobs')).toBe(0);
    expect((await runner.drain()).ran).toBe(0);
  });

  it('leaves no job when the transaction fails afterwards', async () => {
    const broken = inTransaction(em, async (tx) => {
      await bus.emit(tx, 'test.happened', { n: 2 });
      throw new Error('no');
    });
    await expect(broken).rejects.toThrow('no');
    expect(await platform.count('jobs')).toBe(0);
  });

  it('creates one job per event and handler, even if the first worker is killed', async () => {
    for (const n of [1, 2]) await emitTestEvent(n);
    // Claimed by a process that dies, so they never finish.
    expect(await runner.claim(['default'], 10)).toHaveLength(4);
    expect((await runner.drain()).ran).toBe(0);
    await platform.db.query(`UPDATE jobs SET lease_until = now() - interval '1 second'`);
    const first = await runner.drain();
    platform.clock.advance(MINUTE);
    expect(first.ran + (await runner.drain()).ran).toBe(4);
    expect(calls.filter((entry) => entry.startsWith('after')).sort()).toEqual(['after 1', 'after 2']);
    expect(await platform.count('jobs')).toBe(0);
  });

  it('creates no job where there is nothing to do and reaches only registered listeners', async () => {
    await emitTestEvent(0);
    await inTransaction(em, (tx) => bus.emit(tx, 'test.ended', { why: 'done' }));
    expect(calls).toEqual(['first 0', 'second 0', 'ended done']);
    expect((await platform.query('select name from jobs')).map(({ name }) => name)).toEqual(['test.other']);
  });

  it('prevents the start when an @AfterCommit method is not a job', async () => {
    @Injectable()
    class NoJob {
      @AfterCommit('test.ended', () => ({}))
      async follow(): Promise<void> {}
    }
    const app = await platform.createApp({ providers: [...providers, NoJob] });
    await expect(app.init()).rejects.toThrow('NoJob.follow is marked @AfterCommit, and with no job by @OnJob.');
  });

  it('checks the payload type declared for each event', () => {
    const wrong = () => {
      // @ts-expect-error the payload of this event has a number
      void bus.emit(em, 'test.happened', { n: 'one' });
      // @ts-expect-error undeclared event
      void bus.emit(em, 'test.unknown', {});
      AfterCommit('test.happened', ({ n }) => ({ n }))(Later.prototype, 'follow', {
        // @ts-expect-error the job receives the mapped payload
        value: async (_payload: { why: string }) => undefined,
      });
    };
    expect(wrong).toBeInstanceOf(Function);
  });
});
