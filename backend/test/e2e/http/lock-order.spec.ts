import { MikroORM, type EntityManager } from '@mikro-orm/postgresql';
import { Zone } from '../../../src/modules/zones/entities/zone.entity.js';
import { retryOnLockTimeout, inTransaction } from '../../../src/platform/database/transaction.js';
import { createZone, registerUser, type Actor } from '../../support/people/actors.js';
import { describeInProcess, World } from '../../support/world.js';

/** Two transactions that lock rows of two zones in opposite orders, once each holds its first lock. */
describeInProcess('Conflicting transactions', () => {
  let world: World;
  let owner: Actor;
  let zones: [number, number];

  beforeAll(async () => {
    world = await World.open();
    world.testApp.allowDeadlocks();
  });
  beforeEach(async () => {
    owner = await registerUser(world);
    await world.testApp.em().execute(`update users set plan = 'enterprise' where id = ?`, [owner.id]);
    zones = [(await createZone(owner)).id, (await createZone(owner)).id];
  });
  afterAll(() => world.close());

  const rename = (em: EntityManager, id: number, name: string) =>
    em.execute('update zones set name = ? where id = ?', [name, id]);
  const readNames = async () => {
    const sql = 'select name from zones where id in (?, ?) order by id';
    return ((await world.testApp.em().execute(sql, zones)) as { name: string }[]).map(({ name }) => name);
  };
  const readConflicts = async () => {
    const { text } = await world.createClient().get('/metrics');
    return Number(/zonary_transaction_conflicts_total\{outcome="retried"\} (\d+)/.exec(text)?.[1]);
  };

  /** At the first attempt, each waits until the other holds its first lock as well. */
  function createBarrier() {
    const arrived: (() => void)[] = [];
    return async (tries: number) => {
      if (tries > 1) return;
      await new Promise<void>((resolve) => {
        arrived.push(resolve);
        if (arrived.length === 2) for (const release of arrived) release();
      });
    };
  }

  it('are retried and counted, and both succeed once', async () => {
    const [a, b] = zones;
    const barrier = createBarrier();
    const before = await readConflicts();
    let tries = 0;
    const opposite = (first: number, second: number, name: string) => {
      let own = 0;
      return inTransaction(world.testApp.em(), async (em) => {
        own += 1;
        tries += 1;
        await rename(em, first, name);
        await barrier(own);
        await rename(em, second, name);
      });
    };
    await Promise.all([opposite(a, b, 'Left'), opposite(b, a, 'Right')]);
    expect(tries).toBeGreaterThanOrEqual(3);
    const [one, other] = await readNames();
    expect(one).toBe(other);
    expect(await readConflicts()).toBe(before + tries - 2);
  });

  it('write entity changes again on retry', async () => {
    const [a, b] = zones;
    const barrier = createBarrier();
    const opposite = async (first: number, second: number, description: string) => {
      const em = world.testApp.em();
      const zone = await em.findOneOrFail(Zone, { id: first });
      let own = 0;
      await inTransaction(em, async (em) => {
        own += 1;
        zone.description = description;
        await em.flush();
        await barrier(own);
        await rename(em, second, `Renamed ${second}`);
      });
    };
    await Promise.all([opposite(a, b, 'one'), opposite(b, a, 'two')]);
    const rows = await world.testApp
      .em()
      .execute('select description from zones where id in (?, ?) order by id', zones);
    expect(rows).toEqual([{ description: 'one' }, { description: 'two' }]);
  });

  it('fail after three retries', async () => {
    let tries = 0;
    const always = inTransaction(world.testApp.app.get(MikroORM).em.fork() as EntityManager, async (em) => {
      tries += 1;
      await em.execute(`do $$ begin raise exception 'they met' using errcode = '40P01'; end $$`);
    });
    await expect(always).rejects.toMatchObject({ code: '40P01' });
    expect(tries).toBe(4);
  });

  it.each([
    ['55P03', 3],
    ['57014', 1],
  ])('are attempted by retryOnLockTimeout after %s: %i times in all', async (code, most) => {
    let tries = 0;
    const always = () =>
      inTransaction(world.testApp.app.get(MikroORM).em.fork() as EntityManager, async (em) => {
        tries += 1;
        await em.execute(`do $$ begin raise exception 'held' using errcode = '${code}'; end $$`);
      });
    await expect(retryOnLockTimeout(always)).rejects.toMatchObject({ code });
    expect(tries).toBe(most);
  });
});
