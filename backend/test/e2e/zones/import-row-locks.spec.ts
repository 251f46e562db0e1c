import pg from 'pg';
import { User } from '../../../src/modules/auth/entities/user.entity.js';
import { MembershipService } from '../../../src/modules/zones/joining/membership.service.js';
import { inTransaction } from '../../../src/platform/database/transaction.js';
import { createZone, registerUsers, registerUser, type Actor, type TestZone } from '../../support/people/actors.js';
import { readAudience, invite } from '../../support/people/invitations.js';
import { describeInProcess, World } from '../../support/world.js';
import { ADD_MODE, importMembers, postImport, type ImportResponse } from './import-helpers.js';

/** In each case, another transaction holds locks on rows that an import needs. */
describeInProcess('Import that waits for locked rows', () => {
  let world: World;
  let owner: Actor;
  let zone: TestZone;
  let [first, last]: Actor[] = [];
  let holder: pg.Client;
  let watcher: pg.Client;
  beforeAll(async () => {
    world = await World.open();
    [holder, watcher] = [1, 2].map(() => new pg.Client(world.testApp.connection as pg.ClientConfig)) as [
      pg.Client,
      pg.Client,
    ];
    await Promise.all([holder.connect(), watcher.connect()]);
  });
  beforeEach(async () => {
    owner = await registerUser(world);
    await world.testApp.em().execute(`update users set plan = 'enterprise' where id = ?`, [owner.id]);
    zone = await createZone(owner);
    [first, last] = (await registerUsers(world, 2)).sort((a, b) => (a.email < b.email ? -1 : 1));
  });
  afterAll(async () => {
    await Promise.all([holder.end(), watcher.end()]);
    await world.close();
  });

  const fileOf = (...actors: (Actor | undefined)[]) => ['email', ...actors.map((actor) => actor!.email)].join('\n');
  const lockAudienceRow = async (actor: Actor) => {
    await holder.query('begin');
    await holder.query(row(actor, 'for update'));
  };
  const row = ({ email }: Actor, how: string) =>
    `select 1 from audience where owner_id = ${owner.id} and email_key = '${email}' ${how}`;

  /** Start times of the transactions waiting for a lock. */
  async function waitingSince(): Promise<string[]> {
    const { rows } = await watcher.query<{ since: string }>(
      `select xact_start::text as since from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return rows.map(({ since }) => since);
  }

  /** Waits for a transaction that waits for a lock; undefined if the response comes first. */
  async function waitForLock(response: Promise<unknown>, notSince?: string): Promise<string | undefined> {
    let isAnswered = false;
    const settled = response.then(() => (isAnswered = true));
    for (;;) {
      const since = (await waitingSince()).find((since) => since !== notSince);
      if (since !== undefined || isAnswered) return since;
      await Promise.race([settled, new Promise((resolve) => setTimeout(resolve, 20))]);
    }
  }

  /** Adds members like an import whose people joined in another way after it had checked. */
  const admitMembers = (...actors: Actor[]) =>
    inTransaction(world.testApp.em(), async (em) => {
      const users = await em.find(User, { id: { $in: actors.map(({ id }) => id) } });
      const declared = { ipAddress: null, method: 'import', text: 'They agreed.' };
      const at = { id: zone.id, ownerId: owner.id, name: zone.name };
      return world.testApp.app
        .get(MembershipService)
        .addMembers(em, { zone: at, users, method: 'import', declaredConsent: declared });
    });

  it('completes after the lock timeout once the row is free', async () => {
    await importMembers(owner, await createZone(owner), fileOf(first));
    await lockAudienceRow(first!);
    const response = postImport(owner.client, zone, fileOf(first, last), ADD_MODE).then(({ status, body }) => ({
      status,
      body,
    }));
    const tried = await waitForLock(response);
    const triedAgain = await waitForLock(response, tried);
    await holder.query('rollback');
    const { status, body } = await response;
    expect([status, (body as ImportResponse).counts]).toEqual([200, { ADDED: 2 }]);
    expect(triedAgain).toBeDefined();
    expect(await readAudience(world, owner)).toEqual({ used: 2, rows: 2, pending: 0 });
  });

  it('does not block later members whose invitation it ends', async () => {
    await importMembers(owner, await createZone(owner), fileOf(first, last));
    await invite(zone, owner, last!.email);
    // Already a member and counted, like a user invited again before the membership expired.
    await world.testApp.em().execute(
      `insert into zone_members (zone_id, user_id, role, join_method, email, name_key, search_key, created_at)
         values (?, ?, 'member', 'link', ?, '', '', now())`,
      [zone.id, last!.id, last!.email],
    );
    await world.testApp
      .em()
      .execute('update audience set zones = zones + 1 where owner_id = ? and email_key = ?', [owner.id, last!.email]);
    await world.testApp.em().execute('update zone_stats set members = members + 1 where zone_id = ?', [zone.id]);
    await lockAudienceRow(first!);
    const admitted = admitMembers(last!, first!);
    expect(await waitForLock(admitted)).toBeDefined();
    expect((await holder.query(row(last!, 'for update nowait'))).rowCount).toBe(1);
    await holder.query('rollback');
    expect([...(await admitted)]).toEqual([first!.id]);
    expect(await readAudience(world, owner)).toEqual({ used: 2, rows: 2, pending: 0 });
    const counted = await world.testApp.em().execute('select members from zone_stats where zone_id = ?', [zone.id]);
    expect(counted).toEqual([{ members: 2 }]);
  });
});
