import { EntityManager, RequestContext } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { MINUTE } from '../../src/platform/clock/clock.js';
import { inTransaction } from '../../src/platform/database/transaction.js';
import { defineJob, type JobContext } from '../../src/platform/jobs/job-definition.js';
import { OnJob } from '../../src/platform/jobs/on-job.decorator.js';
import { JobRunner } from '../../src/platform/jobs/running/job-runner.js';
import { JobsService } from '../../src/platform/jobs/jobs.service.js';
import { JobsPlatform } from './jobs-app.js';

const note = defineJob<{ text: string }>('test.note', { queue: 'default' });
const chain = defineJob<{ left: number }>('test.chain', { queue: 'mail' });
const failing = defineJob<{ reason: string }>('test.failing', { queue: 'default', maxAttempts: 3 });

const recorded: string[] = [];
const contexts: (number | undefined)[] = [];
const tries: JobContext[] = [];

@Injectable()
class NoteHandler {
  @OnJob(note)
  async handle({ text }: { text: string }): Promise<void> {
    recorded.push(text);
    contexts.push(RequestContext.currentRequestContext()?.id);
  }
}

@Injectable()
class ChainHandler {
  constructor(
    private readonly em: EntityManager,
    private readonly jobs: JobsService,
  ) {}

  @OnJob(chain)
  async handle({ left }: { left: number }): Promise<void> {
    recorded.push(`chain ${left}`);
    if (left > 0) await this.jobs.enqueue(this.em, chain, { left: left - 1 });
  }
}

@Injectable()
class FailingHandler {
  @OnJob(failing)
  async handle({ reason }: { reason: string }, context: JobContext): Promise<void> {
    tries.push(context);
    throw new Error(reason);
  }
}

const providers = [NoteHandler, ChainHandler, FailingHandler];

describe('Jobs', () => {
  let platform: JobsPlatform;
  let em: EntityManager;
  let jobs: JobsService;
  let runner: JobRunner;

  beforeAll(async () => {
    platform = await JobsPlatform.open();
  });
  afterAll(() => platform.close());

  beforeEach(async () => {
    await platform.reset();
    for (const list of [recorded, contexts, tries]) list.length = 0;
    const app = await platform.start({ providers });
    em = app.get(EntityManager).fork();
    jobs = app.get(JobsService);
    runner = app.get(JobRunner);
  });

  it('run if and only if the transaction that enqueued them commits', async () => {
    await inTransaction(em, async (tx) => {
      await jobs.enqueue(tx, note, { text: 'committed' });
      expect(await platform.count('jobs')).toBe(0);
    });
    const broken = inTransaction(em, async (tx) => {
      await jobs.enqueue(tx, note, { text: 'rolled back' });
      throw new Error('no');
    });
    await expect(broken).rejects.toThrow('no');
    expect(await runner.drain()).toEqual({ ran: 1, failures: [] });
    expect(recorded).toEqual(['committed']);
    expect(await platform.count('jobs')).toBe(0);
  });

  it('run without a transaction, too', async () => {
    await jobs.enqueue(em, note, { text: 'at once' });
    await runner.drain();
    expect(recorded).toEqual(['at once']);
  });

  it('run by due time and priority, then by age', async () => {
    const soon = new Date(platform.clock.now().getTime() + 10 * MINUTE);
    await jobs.enqueue(em, note, { text: 'later' }, { runAt: soon });
    await jobs.enqueue(em, note, { text: 'third' });
    await jobs.enqueue(em, note, { text: 'first' }, { priority: -5 });
    await jobs.enqueue(em, note, { text: 'second' }, { runAt: new Date(0) });
    await runner.drain();
    expect(recorded).toEqual(['first', 'second', 'third']);
    platform.clock.advance(10 * MINUTE);
    await runner.drain();
    expect(recorded.at(-1)).toBe('later');
  });

  it('are drained together with those they enqueue', async () => {
    await jobs.enqueue(em, chain, { left: 3 });
    expect((await runner.drain()).ran).toBe(4);
    expect(recorded).toEqual(['chain 3', 'chain 2', 'chain 1', 'chain 0']);
    expect(await runner.drain()).toEqual({ ran: 0, failures: [] });
  });

  it('have a separate request context each', async () => {
    for (const text of ['a', 'b', 'c']) await jobs.enqueue(em, note, { text });
    await runner.drain();
    expect(contexts).not.toContain(undefined);
    expect(new Set(contexts).size).toBe(3);
  });

  it('make drain throw their errors or return them', async () => {
    await jobs.enqueue(em, failing, { reason: 'broken pipe' });
    await jobs.enqueue(em, note, { text: 'neighbour' });
    await expect(runner.drain()).rejects.toThrow('test.failing: broken pipe');
    expect(recorded).toEqual(['neighbour']);
    await jobs.enqueue(em, failing, { reason: 'again' });
    const { failures } = await runner.drain({ tolerant: true });
    expect(failures).toMatchObject([{ job: 'test.failing', error: new Error('again') }]);
  });

  it('are retried with growing delays and marked as dead after the last attempt', async () => {
    await jobs.enqueue(em, failing, { reason: 'mary@example.com has code 123456' });
    for (const attempt of [1, 2, 3]) {
      expect((await runner.drain({ tolerant: true })).ran).toBe(1);
      expect((await runner.drain({ tolerant: true })).ran).toBe(0);
      const [job] = await platform.query<{ state: string; wait: number }>(
        'SELECT state, attempts, last_error, lease_token, extract(epoch FROM run_at - $1)::float AS wait FROM jobs',
        [platform.clock.now()],
      );
      const state = attempt === 3 ? 'dead' : 'queued';
      expect(job).toMatchObject({ state, attempts: attempt, lease_token: null });
      expect(job).toHaveProperty('last_error', 'Error: [e-mail] has code [number]');
      if (state === 'dead') continue;
      const plain = 5 * 2 ** (attempt - 1);
      expect(job!.wait).toBeGreaterThan(plain * 0.75 - 5);
      expect(job!.wait).toBeLessThanOrEqual(plain * 1.25);
      platform.clock.advance(plain * 1250);
    }
    expect(tries.map(({ attempt, isLastAttempt }) => [attempt, isLastAttempt])).toEqual([
      [1, false],
      [2, false],
      [3, true],
    ]);
    expect(new Set(tries.map(({ id }) => id)).size).toBe(1);
    platform.clock.advance(24 * 60 * MINUTE);
    expect((await runner.drain()).ran).toBe(0);
    expect(await platform.count('jobs')).toBe(1);
  });

  it('stay queued when this version does not know them', async () => {
    await platform.db.query(
      `INSERT INTO jobs (queue, name, payload, run_at, max_attempts, created_at)
       VALUES ('default', 'test.of-a-newer-version', '{}', '2000-01-01', 3, now())`,
    );
    await jobs.enqueue(em, note, { text: 'known' });
    expect((await runner.drain()).ran).toBe(1);
    expect(await platform.query('SELECT name, state, attempts FROM jobs')).toEqual([
      { name: 'test.of-a-newer-version', state: 'queued', attempts: 0 },
    ]);
  });

  it('prevent the start when one has no handler or two', async () => {
    @Injectable()
    class SecondNoteHandler {
      @OnJob(note)
      async handle(): Promise<void> {}
    }
    const without = await platform.createApp({ providers: [NoteHandler, FailingHandler] });
    await expect(without.init()).rejects.toThrow('The job "test.chain" has no handler');
    const twice = await platform.createApp({ providers: [...providers, SecondNoteHandler] });
    await expect(twice.init()).rejects.toThrow(
      'The job "test.note" has 2 handlers (NoteHandler.handle, SecondNoteHandler.handle)',
    );
  });
});
