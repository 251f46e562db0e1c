import type { EntityManager } from '@mikro-orm/postgresql';
import { UserSchema, type User } from '../../../src/modules/auth/entities/user.entity.js';
import { MembershipEmailSyncService } from '../../../src/modules/zones/email-change/membership-email-sync.service.js';
import { AudienceRepository } from '../../../src/modules/zones/members/audience.repository.js';
import { inTransaction } from '../../../src/platform/database/transaction.js';
import { whileTransactionOpen } from '../../support/while-transaction-open.js';
import { createZone, registerUser, uniqueName, type Actor, type TestZone } from '../../support/people/actors.js';
import { invite } from '../../support/people/invitations.js';
import { describeInProcess, World } from '../../support/world.js';
import { importMembers } from './import-helpers.js';

/** Lock order: a transaction that waits for a row holds no locks on rows later in the order. */
describeInProcess('Lock order for members of an owner', () => {
  let world: World;
  let owner: Actor;
  let zone: TestZone;
  /** Sorted by address. */
  let [first, last]: [string, string] = ['', ''];

  beforeAll(async () => {
    world = await World.open();
  });
  beforeEach(async () => {
    owner = await registerUser(world);
    zone = await createZone(owner);
    [first, last] = [`a-${uniqueName('person')}@example.com`, `z-${uniqueName('person')}@example.com`];
  });
  afterAll(() => world.close());

  const execute = <T extends object>(sql: string, values: unknown[] = []) =>
    world.testApp.em().execute<T[]>(sql, values);
  const lockSql = (table: string, where: string) => `select 1 from ${table} where ${where} for update`;

  it('does not lock the usage row while an import waits for a member', async () => {
    const sameMoment = {
      sql: `insert into users (email, language, created_at, updated_at) values ('${first}', 'en', now(), now())`,
      then: `insert into usage (owner_id, metric, period) values (${owner.id}, 'people', '') on conflict do nothing`,
    };
    const { counts } = await whileTransactionOpen(world, sameMoment, () =>
      importMembers(owner, zone, `email\n${first}`),
    );
    expect(counts).toEqual({ ADDED: 1 });
    const used = await execute(`select used::int from usage where owner_id = ? and metric = 'people'`, [owner.id]);
    expect(used).toEqual([{ used: 1 }]);
  });

  it('locks invitations by ID when inviting again', async () => {
    for (const email of [last, first]) await invite(zone, owner, email);
    await execute(
      `update invitations set is_counted = false, expires_at = now() - interval '1 day' where zone_id = ?`,
      [zone.id],
    );
    const lockRow = (email: string) => lockSql('invitations', `zone_id = ${zone.id} and email = '${email}'`);
    const rows = await whileTransactionOpen(world, { sql: lockRow(last), then: lockRow(first) }, () =>
      invite(zone, owner, first, last),
    );
    expect(rows.map(({ status }) => status)).toEqual(['INVITED', 'INVITED']);
    const open = await execute('select email from invitations where zone_id = ? and is_counted order by id', [zone.id]);
    expect(open).toEqual([{ email: last }, { email: first }]);
  });

  it('locks invitations by ID on an email change', async () => {
    const { id } = await registerUser(world);
    for (const email of [last, first]) await invite(zone, owner, email);
    const lockRow = (email: string) => lockSql('invitations', `zone_id = ${zone.id} and email = '${email}'`);
    const change = async (em: EntityManager) => {
      const user = await em.findOneOrFail(UserSchema, id);
      await world.testApp.app
        .get(MembershipEmailSyncService)
        .onEmailChanged(em, { user: { ...user, email: first } as User, from: last });
    };
    await whileTransactionOpen(world, { sql: lockRow(last), then: lockRow(first) }, () =>
      inTransaction(world.testApp.em(), change),
    );
    // The user already has an invitation to the zone at the new address.
    expect(await execute('select email from invitations where zone_id = ?', [zone.id])).toEqual([{ email: first }]);
  });

  it('recreates an invitation that is revoked while the request waits for its lock', async () => {
    await invite(zone, owner, first);
    await execute('update invitations set is_counted = false where zone_id = ?', [zone.id]);
    const taken = {
      sql: lockSql('invitations', `zone_id = ${zone.id}`),
      then: `delete from invitations where zone_id = ${zone.id}`,
    };
    const [row] = await whileTransactionOpen(world, taken, () => invite(zone, owner, first));
    expect(row!.status).toBe('INVITED');
    expect(await execute('select email from invitations where zone_id = ? and is_counted', [zone.id])).toHaveLength(1);
  });

  describe('on an email change', () => {
    let person: Actor;
    beforeEach(async () => {
      person = await registerUser(world);
    });

    const insertAudienceSql = (email: string) =>
      `insert into audience (owner_id, email_key, user_id, zones) values (${owner.id}, '${email}', ${person.id}, 1)`;
    const lockRow = (email: string) => lockSql('audience', `owner_id = ${owner.id} and email_key = '${email}'`);
    const changeEmail = (from: string, to: string) => () =>
      inTransaction(world.testApp.em(), (em) =>
        world.testApp.app.get(AudienceRepository).mergeOnEmailChange(em, { id: person.id, email: to }, from),
      );
    const listAudience = () => execute('select email_key as email, zones from audience where owner_id = ?', [owner.id]);

    it.each(['a change to an earlier', 'a change to a later'])('%s address locks both rows in order', async (which) => {
      const [from, to] = which === 'a change to an earlier' ? [last, first] : [first, last];
      await execute(`${insertAudienceSql(from)}, (${owner.id}, '${to}', null, 1)`);
      expect(
        await whileTransactionOpen(world, { sql: lockRow(first), then: lockRow(last) }, changeEmail(from, to)),
      ).toEqual([owner.id]);
      expect(await listAudience()).toEqual([{ email: to, zones: 2 }]);
    });

    it('locks both addresses in order if the new one sorts first and is inserted concurrently', async () => {
      await execute(insertAudienceSql(last));
      expect(
        await whileTransactionOpen(
          world,
          { sql: insertAudienceSql(first), then: lockRow(last) },
          changeEmail(last, first),
        ),
      ).toEqual([owner.id]);
      expect(await listAudience()).toEqual([{ email: first, zones: 2 }]);
    });

    it('creates no row for a user whom no owner counts', async () => {
      await execute(insertAudienceSql(last));
      const deletion = { sql: `delete from audience where owner_id = ${owner.id}` };
      expect(await whileTransactionOpen(world, deletion, changeEmail(last, first))).toEqual([]);
      expect(await listAudience()).toEqual([]);
    });
  });
});
