import { SuppressionRepository } from '../../../src/modules/zones/leaving/suppression.repository.js';
import { Storage } from '../../../src/platform/storage/storage.js';
import {
  waitForCode,
  createZone,
  joinPublicZone,
  PASSWORD,
  registerUser,
  uniqueName,
  type Actor,
  type TestZone,
} from '../../support/people/actors.js';
import { enrolAuthenticator } from '../../support/people/authenticator.js';
import { baseUrl, describeInProcess, World } from '../../support/world.js';
import {
  requestPasswordReset,
  runConcurrently,
  countStatuses,
  createApiToken,
  registerAgain,
  signIn,
} from '../auth/account-helpers.js';
import { readRowChanges, rowsAfterDeletion, insertUserRows } from './user-rows.js';

let world: World;
let ada: Actor;
beforeAll(async () => {
  world = await World.open();
});
beforeEach(async () => {
  ada = await registerUser(world);
});
afterAll(() => world.close());

const remove = (actor: Actor, password = PASSWORD) => actor.client.delete('/api/user').send({ password });

describe('DELETE /api/user', () => {
  it('rejects a wrong password, even in a freshly confirmed session', async () => {
    expect((await remove(ada, 'not the one').expect(400)).body.code).toBe('WRONG_PASSWORD');
    expect((await remove(ada, '').expect(400)).body.code).toBe('WRONG_PASSWORD');
    await ada.client.get('/api/user').expect(200);
  });

  it('ends sessions and tokens at once, and later sign-ins fail as for an unknown address', async () => {
    const otherClient = await signIn(world, ada.email);
    const { token } = await createApiToken(ada);
    const response = await remove(ada).expect(204);
    expect(response.headers['set-cookie']?.[0]).toMatch(/zonary_session=;/);
    for (const client of [ada.client, otherClient]) await client.get('/api/user').expect(401);
    await world.createClient().get('/api/user').set('Authorization', `Bearer ${token}`).expect(401);
    const login = await world
      .createClient()
      .post('/api/login')
      .send({ email: ada.email, password: PASSWORD })
      .expect(401);
    expect(login.body.code).toBe('INVALID_CREDENTIALS');
  });

  it("hides the user's data at once and notifies the user", async () => {
    const zone = await createZone(ada);
    const member = await registerUser(world);
    await joinPublicZone(zone, member);
    await remove(ada).expect(204);
    await member.client.get(`/api/zones/${zone.id}`).expect(404);
    await world.createClient().get(`/api/public-zones/${zone.publicLink}`).expect(404);
    if (!baseUrl) await finishJobs();
    await world.waitForEmail(ada.email, ({ subject }) => subject === 'Your account has been deleted');
  });

  it('frees the address and username for a new account', async () => {
    const token = await requestPasswordReset(world, ada.email);
    await remove(ada).expect(204);
    await world.createClient().post('/api/reset-password').send({ token, password: 'back in by a link' }).expect(400);
    expect((await world.createClient().get(`/api/check-username/${ada.username}`)).body.available).toBe(true);
    const newAccount = await registerAgain(world, ada.email);
    expect(newAccount.id).not.toBe(ada.id);
    expect((await newAccount.client.get('/api/zones').expect(200)).body).toEqual([]);
  });

  it('accepts one of 20 concurrent requests and sends one email', async () => {
    const responses = await runConcurrently(20, () => remove(ada));
    const { 204: done, ...others } = countStatuses(responses);
    expect(done).toBe(1);
    expect(Object.keys(others).every((status) => ['400', '401'].includes(status))).toBe(true);
    if (!baseUrl) await finishJobs();
    await world.waitForEmail(ada.email, ({ subject }) => subject === 'Your account has been deleted');
    const mails = (await world.listEmails(ada.email)).filter(({ subject }) => /has been deleted/.test(subject));
    expect(mails).toHaveLength(1);
  });
});

describeInProcess('DELETE /api/user without a password', () => {
  const set = (sql: string) => world.testApp.em().execute(sql, [ada.id]);
  const removeSilently = () => ada.client.delete('/api/user').send({});
  beforeEach(() => set('update sessions set confirmed_at = null where user_id = ?'));

  it('requires reauthentication', async () => {
    expect((await removeSilently().expect(403)).body.code).toBe('CONFIRMATION_REQUIRED');
    await ada.client.get('/api/user').expect(200);
    await ada.client.post('/api/user/confirm').send({ password: PASSWORD }).expect(200);
    await removeSilently().expect(204);
    await ada.client.get('/api/user').expect(401);
  });

  it('accepts an emailed code from a user without a password', async () => {
    await set('update users set password = null where id = ?');
    expect((await remove(ada).expect(400)).body.code).toBe('WRONG_PASSWORD');
    expect((await removeSilently().expect(403)).body.code).toBe('CONFIRMATION_REQUIRED');
    await ada.client.post('/api/user/confirm/mail').send().expect(200);
    const code = await waitForCode(world, ada.email);
    await ada.client.post('/api/user/confirm').send({ code }).expect(200);
    await removeSilently().expect(204);
    await ada.client.get('/api/user').expect(401);
  });

  it('is rejected ten minutes after the confirmation', async () => {
    await ada.client.post('/api/user/confirm').send({ password: PASSWORD }).expect(200);
    world.testApp.clock.advance(10 * 60_000);
    expect((await removeSilently().expect(403)).body.code).toBe('CONFIRMATION_REQUIRED');
  });
});

/** Runs all jobs, and those rescheduled a little later, until none are left. */
async function finishJobs(): Promise<void> {
  for (let round = 0; round < 3; round++) {
    await world.testApp.drain();
    world.testApp.clock.advance(11_000);
  }
  await world.testApp.drain();
}

describeInProcess('Data after account deletion', () => {
  const rows = (sql: string, values: unknown[] = []) => world.testApp.em().execute(sql, values);
  const countObjects = async () => {
    let count = 0;
    for await (const { key } of world.testApp.app.get(Storage).list('')) count += key ? 1 : 0;
    return count;
  };
  const put = (actor: Actor, zone: TestZone, name: string) =>
    actor.client.post(`/api/zones/${zone.id}/files`).attach('files', Buffer.from('some bytes'), name).expect(201);
  const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

  it('is removed, and the counters of others are correct', async () => {
    const before = await countObjects();
    const grace = await registerUser(world);
    const graceZone = await createZone(grace);
    const adaZone = await createZone(ada);
    await joinPublicZone(graceZone, ada);
    await joinPublicZone(adaZone, grace);
    await rows(
      `insert into campaigns (zone_id, sent_by_id, name, subject, html_content, status, recipient_count, created_at, updated_at)
       values (?, ?, 'n', 's', 'x', 'sent', 1, now(), now())`,
      [adaZone.id, ada.id],
    );
    await put(ada, adaZone, 'a.txt');
    await put(ada, adaZone, 'b.txt');
    await ada.client.post('/api/user/picture').attach('file', Buffer.from(pixel, 'base64'), 'me.png').expect(200);
    await world
      .createClient()
      .post(`/api/public-zones/${graceZone.publicLink}/join`)
      .send({ email: ada.email, emailConsent: true });
    expect(await countObjects()).toBe(before + 3);

    await remove(ada).expect(204);
    await finishJobs();
    world.testApp.clock.advance(3_600_000);
    await finishJobs();

    expect(await countObjects()).toBe(before);
    for (const [table, column] of [
      ['users', 'id'],
      ['zones', 'owner_id'],
      ['zone_members', 'user_id'],
      ['email_consents', 'user_id'],
      ['campaigns', 'sent_by_id'],
      ['deleted_zones', 'owner_id'],
      ['audience', 'user_id'],
      ['usage', 'owner_id'],
      ['sessions', 'user_id'],
      ['api_tokens', 'user_id'],
      ['activity', 'owner_id'],
      ['erasures', 'user_id'],
      ['audit_log', 'actor_id'],
      ['audit_log', 'subject_id'],
    ]) {
      expect([table, await rows(`select 1 from ${table} where ${column} = ?`, [ada.id])]).toEqual([table, []]);
    }
    for (const table of ['zone_members', 'pending_joins', 'single_use_tokens', 'email_verifications', 'erasures']) {
      expect([table, await rows(`select 1 from ${table} where email = ?`, [ada.email])]).toEqual([table, []]);
    }
    expect(await rows('select members from zone_stats where zone_id = ?', [graceZone.id])).toEqual([{ members: 0 }]);
    const proofs = await rows('select zone_id from email_consents where user_id = ?', [grace.id]);
    expect(proofs).toEqual([{ zone_id: adaZone.id }]);
    expect(await rows('select 1 from audience where owner_id = ?', [grace.id])).toEqual([]);
    const [people] = await rows(`select used from usage where owner_id = ? and metric = 'people'`, [grace.id]);
    expect(Number(people!.used)).toBe(0);
    await grace.client.get(`/api/zones/${graceZone.id}`).expect(200);
  });

  it('keeps only the anonymised rows that others need', async () => {
    const grace = await registerUser(world);
    const [graceZone, adaZone] = [await createZone(grace), await createZone(ada)];
    await joinPublicZone(graceZone, ada);
    const whose = { id: ada.id, email: ada.email, ownZone: adaZone.id, otherZone: graceZone.id, otherOwner: grace.id };
    const written = await insertUserRows(world, whose);
    await remove(ada).expect(204);
    await finishJobs();
    expect(await readRowChanges(world, written)).toEqual(rowsAfterDeletion);
  });

  it('contains no session, token or other credential from the start', async () => {
    const { id, email } = ada;
    await requestPasswordReset(world, email);
    await createApiToken(ada);
    await enrolAuthenticator(world, ada.client);
    await rows(
      `insert into passkeys (user_id, credential_id, public_key, counter, transports, verifies_user, name, created_at)
       values (?, ?, 'key', 0, '', true, 'Laptop', now()) returning id`,
      [id, `credential of ${id}`],
    );
    await world.createClient().post('/api/login').send({ email, password: PASSWORD }).expect(200);
    const ofFactors = ['authenticators', 'recovery_codes', 'passkeys', 'pending_sign_ins'];
    for (const table of ofFactors)
      expect([table, (await rows(`select 1 from ${table} where user_id = ?`, [id])).length > 0]).toEqual([table, true]);
    await remove(ada).expect(204);
    for (const table of ofFactors)
      expect([table, await rows(`select 1 from ${table} where user_id = ?`, [id])]).toEqual([table, []]);
    expect(await rows('select 1 from sessions where user_id = ?', [id])).toEqual([]);
    expect(await rows('select 1 from api_tokens where user_id = ?', [id])).toEqual([]);
    expect(await rows('select 1 from single_use_tokens where email = ?', [email])).toEqual([]);
    const [row] = await rows('select email, password, username, first_name from users where id = ?', [id]);
    expect(row).toEqual({ email: `erased-${id}@erased.invalid`, password: null, username: null, first_name: null });
  });

  it('keeps the suppressed address as a keyed digest and audit entries without the user', async () => {
    const token = await createApiToken(ada);
    await remove(ada).expect(204);
    await finishJobs();
    const suppressions = world.testApp.app.get(SuppressionRepository);
    const other = `${uniqueName('other')}@example.com`;
    const found = await suppressions.findSuppressed(world.testApp.em(), 1, [ada.email, other]);
    expect([...found]).toEqual([ada.email]);
    const stored = await rows(`select digest from suppressions where reason = 'erased'`);
    for (const { digest } of stored) expect(digest).toMatch(/^[0-9a-f]{64}$/);
    const facts = await rows(
      `select actor_id, subject_id, ip_address from audit_log where type = 'user.token-made' and params ->> 'tokenId' = ?`,
      [String(token.id)],
    );
    expect(facts).toEqual([{ actor_id: null, subject_id: null, ip_address: null }]);
  });

  it('is completed by a retry, whatever step the worker crashed at', async () => {
    const grace = await registerUser(world);
    await rows(`update users set plan = 'creator' where id = ?`, [ada.id]);
    const zones = [await createZone(ada), await createZone(ada)];
    for (const zone of zones) await put(ada, zone, 'a.txt');
    const graceZone = await createZone(grace);
    await joinPublicZone(graceZone, ada);
    const before = (await countObjects()) - 2;
    await remove(ada).expect(204);

    const dieAt = async (step: string, when: string) => {
      await rows(`create function die() returns trigger as $$ begin raise exception 'died'; end; $$ language plpgsql`);
      await rows(`create trigger die ${when} for each statement execute function die()`);
      const errors: string[] = [];
      for (let round = 0; round < 2; round++) {
        world.testApp.clock.advance(3_600_000);
        await world.testApp.drain().catch((error: unknown) => errors.push(String(error)));
      }
      expect([step, errors.join()]).toEqual([step, expect.stringContaining('died')]);
      await rows('drop function die cascade');
      expect([step, await rows('select 1 from users where id = ?', [ada.id])]).toEqual([step, [expect.anything()]]);
    };
    await dieAt('noting the address', 'before insert on suppressions');
    await dieAt('deleting zones', 'before update of deleted_at on zones');
    await dieAt('leaving', 'before delete on zone_members');
    await dieAt('emptying zones', 'before delete on files');
    await dieAt('the record', 'before update on audit_log');
    await dieAt('the row', 'before delete on users');
    world.testApp.clock.advance(3_600_000);
    await finishJobs();
    expect(await rows('select 1 from users where id = ?', [ada.id])).toEqual([]);
    expect(await countObjects()).toBe(before);
    expect(await rows('select members from zone_stats where zone_id = ?', [graceZone.id])).toEqual([{ members: 0 }]);
    await world.waitForEmail(ada.email, ({ subject }) => /has been deleted/.test(subject));
    expect(await rows('select 1 from erasures where user_id = ?', [ada.id])).toEqual([]);
  });

  it('is removed by a new job when the first one was given up', async () => {
    await remove(ada).expect(204);
    await rows(`update jobs set state = 'dead' where name = 'account.erase-account'`);
    await finishJobs();
    expect(await rows('select 1 from users where id = ?', [ada.id])).toHaveLength(1);
    const { CronScheduler } = await import('../../../src/platform/jobs/cron/cron-scheduler.js');
    const { resumeErasures } = await import('../../../src/modules/account/account.jobs.js');
    for (let hour = 0; hour < 2; hour++) {
      world.testApp.clock.advance(3_600_000);
      await world.testApp.app.get(CronScheduler).enqueueCronRun(resumeErasures, world.testApp.clock.now());
      await finishJobs();
    }
    expect(await rows('select 1 from users where id = ?', [ada.id])).toEqual([]);
    const mails = (await world.listEmails(ada.email)).filter(({ subject }) => /has been deleted/.test(subject));
    expect(mails).toHaveLength(1);
  });

  it('does not affect a user who registered again with the same address', async () => {
    const grace = await registerUser(world);
    const graceZone = await createZone(grace);
    await joinPublicZone(graceZone, ada);
    await remove(ada).expect(204);
    const newAccount = await registerAgain(world, ada.email);
    await joinPublicZone(graceZone, newAccount);
    await finishJobs();
    await newAccount.client.get(`/api/zones/${graceZone.id}`).expect(200);
    expect(await rows('select members from zone_stats where zone_id = ?', [graceZone.id])).toEqual([{ members: 1 }]);
    expect(await rows('select user_id, zones from audience where owner_id = ?', [grace.id])).toEqual([
      { user_id: newAccount.id, zones: 1 },
    ]);
  });

  it('includes the last super admin, even when the last two delete their accounts concurrently', async () => {
    const [one, two] = [await registerUser(world), await registerUser(world)];
    await rows('update users set is_super_admin = (id in (?, ?))', [one.id, two.id]);
    const responses = await Promise.all([remove(one), remove(two)]);
    expect(countStatuses(responses)).toEqual({ 204: 1, 409: 1 });
    const rejected = responses.find(({ status }) => status === 409)!;
    expect(rejected.body.code).toBe('LAST_SUPER_ADMIN');
  });
});
