import type { EntityManager } from '@mikro-orm/postgresql';
import supertest from 'supertest';
import { uniqueName } from '../../support/people/actors.js';
import { createTestApp, type TestApp } from '../../support/test-app.js';
import { describeInProcess } from '../../support/world.js';

/** Connections that are open when the primary becomes a replica. */
const SESSIONS = 6;

describeInProcess('Connections to a demoted primary', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp();
  });
  afterAll(() => app.close());

  const sessionOf = async (em: EntityManager) => {
    const [row] = await em.execute<{ pid: number }[]>('select pg_backend_pid() as pid');
    return row!.pid;
  };
  /** Runs the same query on several connections, each held until all have run it. */
  const onEach = async (text: string): Promise<Set<number>> => {
    const { promise: allThere, resolve } = Promise.withResolvers<void>();
    const sessions: number[] = [];
    const hold = () =>
      app.em().transactional(async (em) => {
        await em.execute(text);
        if (sessions.push(await sessionOf(em)) === SESSIONS) resolve();
        await allThere;
      });
    await Promise.all(Array.from({ length: SESSIONS }, hold));
    return new Set(sessions);
  };
  const write = () =>
    supertest(app.url)
      .post('/api/send-verification')
      .set('Sec-Fetch-Site', 'same-origin')
      .send({ email: `${uniqueName('after')}@example.com` });

  it('are all discarded after the first read-only error, and the next request succeeds', async () => {
    const sessionsBefore = await onEach('set default_transaction_read_only = on');
    expect(sessionsBefore.size).toBe(SESSIONS);
    const { status, headers } = await write();
    expect(status).toBe(503);
    expect(headers['retry-after']).toBeDefined();
    for (let round = 0; round < SESSIONS; round++) await write().expect(200);
    const now = await onEach('select 1');
    expect([...now].filter((session) => sessionsBefore.has(session))).toEqual([]);
  });

  it.each(['57P01', '57P02', '57P03'])(
    'are discarded after error %s, even if a pooler keeps them open',
    async (code) => {
      let session = 0;
      const rejected = app.em().transactional(async (em) => {
        session = await sessionOf(em);
        await em.execute(`do $$ begin raise exception using errcode = '${code}'; end $$`);
      });
      await expect(rejected).rejects.toMatchObject({ code });
      expect(await onEach('select 1')).not.toContain(session);
    },
  );

  it('are kept after an ordinary statement error', async () => {
    let session = 0;
    const rejected = app.em().transactional(async (em) => {
      session = await sessionOf(em);
      await em.execute('select 1 / 0');
    });
    await expect(rejected).rejects.toMatchObject({ code: '22012' });
    expect(await onEach('select 1')).toContain(session);
  });
});
