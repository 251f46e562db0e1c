import supertest from 'supertest';
import { createTestApp, type TestApp } from '../../support/test-app.js';
import { describeInProcess } from '../../support/world.js';

/** Together more than one process keeps open. */
const [ROUNDS, AT_ONCE] = [3, 10];

describeInProcess('Lost database connections', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp();
  });
  afterAll(() => app.close());

  /** A transaction whose connection is lost in the middle, as when PostgreSQL restarts. */
  const lostTransaction = () =>
    app.em().transactional(async (em) => {
      const [{ pid }] = (await em.execute('select pg_backend_pid() as pid')) as [{ pid: number }];
      await app.em().execute('select pg_terminate_backend(?)', [pid]);
      await em.execute('select 1');
    });

  it('free their slots in the pool', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const outcomes = await Promise.allSettled(Array.from({ length: AT_ONCE }, lostTransaction));
      expect(outcomes.map(({ status }) => status)).toEqual(Array<string>(AT_ONCE).fill('rejected'));
    }
    await supertest(app.url).get('/readyz').expect(200);
    const responses = await Promise.all(Array.from({ length: 50 }, () => supertest(app.url).get('/api/site')));
    expect(responses.every(({ status }) => status === 200)).toBe(true);
  });
});
