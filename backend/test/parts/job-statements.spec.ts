import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { MINUTE } from '../../src/platform/clock/clock.js';
import { connectionTimeouts, timeouts } from '../../src/platform/database/pool/timeouts.js';
import { inTransaction } from '../../src/platform/database/transaction.js';
import { defineJob } from '../../src/platform/jobs/job-definition.js';
import { JobsService } from '../../src/platform/jobs/jobs.service.js';
import { OnJob } from '../../src/platform/jobs/on-job.decorator.js';
import { JobRunner } from '../../src/platform/jobs/running/job-runner.js';
import { JobsPlatform } from './jobs-app.js';

type Where = 'alone' | 'in a transaction';

const long = defineJob<{ where: Where }>('statements.long', { queue: 'default', statementLimit: MINUTE });
const ordinary = defineJob<{ where: Where }>('statements.ordinary', { queue: 'default' });
const wrong = defineJob<{ where: Where }>('statements.wrong', { queue: 'default', statementLimit: MINUTE });

/** The suite's default statement timeout in milliseconds, and a statement that takes far longer. */
const LIMIT = 200;
const SLEEP = 'select pg_sleep(1)';

const completed: string[] = [];

@Injectable()
class SleepJobs {
  constructor(private readonly em: EntityManager) {}

  @OnJob(long)
  sleepLong({ where }: { where: Where }): Promise<void> {
    return this.sleep(where);
  }

  @OnJob(ordinary)
  sleepOrdinary({ where }: { where: Where }): Promise<void> {
    return this.sleep(where);
  }

  @OnJob(wrong)
  async fail({ where }: { where: Where }): Promise<void> {
    const text = 'select 1 / 0';
    if (where === 'alone') await this.em.execute(text);
    else await inTransaction(this.em.fork(), (em) => em.execute(text));
  }

  private async sleep(where: Where): Promise<void> {
    if (where === 'alone') await this.em.execute(SLEEP);
    else await inTransaction(this.em.fork(), (em) => em.execute(SLEEP));
    completed.push(where);
  }
}

describe('SQL statements of jobs', () => {
  let platform: JobsPlatform;
  let em: EntityManager;
  let jobs: JobsService;
  let runner: JobRunner;

  beforeAll(async () => {
    Object.assign(connectionTimeouts, { statement_timeout: LIMIT });
    platform = await JobsPlatform.open();
    const app = await platform.start({ providers: [SleepJobs] });
    em = app.get(EntityManager).fork();
    jobs = app.get(JobsService);
    runner = app.get(JobRunner);
  });
  beforeEach(() => void completed.splice(0));
  afterAll(async () => {
    await platform.close();
    Object.assign(connectionTimeouts, { statement_timeout: timeouts.statement });
  });

  const listErrorCodes = async () =>
    (await runner.drain({ tolerant: true })).failures.map(({ error }) => (error as { code?: string }).code);

  const readLimit = async () => {
    const [row] = await em.execute<{ statement_timeout: string }[]>('show statement_timeout');
    return row!.statement_timeout;
  };

  it.each<Where>(['alone', 'in a transaction'])('may take as long as the job declares, %s', async (where) => {
    await jobs.enqueue(em, long, { where });
    expect(await listErrorCodes()).toEqual([]);
    expect(completed).toEqual([where]);
    // The limit ends with the transaction: the next user of the connection has the default.
    expect(await readLimit()).toBe(`${LIMIT}ms`);
  });

  it.each<Where>(['alone', 'in a transaction'])(
    'are cancelled at the default timeout in other jobs, %s',
    async (where) => {
      await jobs.enqueue(em, ordinary, { where });
      expect(await listErrorCodes()).toEqual(['57014']);
      expect(completed).toEqual([]);
      await em.execute(`delete from jobs where name = 'statements.ordinary'`);
    },
  );

  it.each<Where>(['alone', 'in a transaction'])('leave a usable connection when they fail, %s', async (where) => {
    await jobs.enqueue(em, wrong, { where });
    expect(await listErrorCodes()).toEqual(['22012']);
    expect(await readLimit()).toBe(`${LIMIT}ms`);
    await em.execute(`delete from jobs where name = 'statements.wrong'`);
  });
});
