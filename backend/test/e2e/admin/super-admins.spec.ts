import { AdminDigestRepository } from '../../../src/modules/admin/digest/admin-digest.repository.js';
import { sendAdminDigest } from '../../../src/modules/admin/admin.jobs.js';
import { CronScheduler } from '../../../src/platform/jobs/cron/cron-scheduler.js';
import { createZone, PASSWORD, registerUser, uniqueName, type Actor } from '../../support/people/actors.js';
import { describeInProcess, World } from '../../support/world.js';
import { reauthenticate, signIn } from '../auth/account-helpers.js';
import { listAuditEntriesBy, makeSuperAdmin, registerStaff } from './staff-helpers.js';

const path = '/api/admin/users';
const fresh = 'wandering otters paint kettles';

describeInProcess('Super admin', () => {
  let world: World;
  let superAdmin: Actor;
  let admin: Actor;
  let person: Actor;
  beforeAll(async () => {
    world = await World.open({ STRIPE_SECRET_KEY: 'sk_test_of_nobody' });
    ({ superAdmin, admin } = await registerStaff(world));
  });
  beforeEach(async () => {
    person = await registerUser(world);
    await reauthenticate(superAdmin);
  });
  afterAll(() => world.close());

  const rows = (sql: string, values: unknown[] = []) => world.testApp.em().execute(sql, values);
  const invite = (body: object, by = superAdmin) => by.client.post(path).send(body);
  const uniqueAddress = () => `${uniqueName('newcomer')}@example.com`;
  const invitation = (email: string) =>
    world.waitForEmail(
      email,
      ({ html }) => html.includes('/reset-password?token=') || html.includes('/auth?mode=login'),
    );

  it('invites a user, who sets a password by the emailed link and signs in', async () => {
    const email = uniqueAddress();
    await invite({ email: ` ${email.toUpperCase()} `, language: 'tr' }).expect(204);
    const mail = await invitation(email);
    expect(mail.subject).toBe('Zonary’ye davet edildiniz');
    expect(await rows('select email_verified from users where email = ?', [email])).toEqual([
      { email_verified: false },
    ]);
    const token = /\/reset-password\?token=([\w-]+)/.exec(mail.text)![1]!;
    world.testApp.clock.advance(6 * 86_400_000);
    const link = await world.createClient().post('/api/reset-password/check').send({ token }).expect(200);
    expect(link.body).toEqual({ usable: true, isFirst: true });
    await world.createClient().post('/api/reset-password').send({ token, password: fresh }).expect(200);
    await world
      .createClient()
      .post('/api/reset-password')
      .send({ token, password: `${fresh} again` })
      .expect(400);
    await world.createClient().post('/api/login').send({ email, password: fresh }).expect(200);
    world.testApp.clock.advance(-6 * 86_400_000);
    expect(await listAuditEntriesBy(world, superAdmin)).toContainEqual(
      expect.objectContaining({ type: 'user.invited', subject_id: expect.anything(), params: {} }),
    );
  });

  it('gets the same response for an existing account, which keeps its password', async () => {
    await invite({ email: person.email }).expect(204);
    const { text } = await invitation(person.email);
    expect(text).toContain('/auth?mode=login');
    expect(text).not.toContain('token=');
    await signIn(world, person.email, PASSWORD);
    await rows('update users set deactivated_at = now() where id = ?', [person.id]);
    const before = (await world.listEmails(person.email)).length;
    await invite({ email: person.email }).expect(204);
    await world.testApp.drain();
    expect(await world.listEmails(person.email)).toHaveLength(before);
  });

  it('can invite valid addresses only', async () => {
    for (const body of [{}, { email: 'nobody' }, { email: uniqueAddress(), language: 'xx' }])
      await invite(body).expect(400);
  });

  it('deletes a user on request', async () => {
    const zone = await createZone(person);
    await superAdmin.client.delete(`${path}/${person.id}`).expect(204);
    await person.client.get('/api/user').expect(401);
    await superAdmin.client.get(`${path}/${person.id}`).expect(404);
    await superAdmin.client.delete(`${path}/${person.id}`).expect(404);
    for (let round = 0; round < 3; round++) {
      await world.testApp.drain();
      world.testApp.clock.advance(11_000);
    }
    expect(await rows('select id from users where id = ?', [person.id])).toEqual([]);
    expect(await rows('select id from zones where id = ?', [zone.id])).toEqual([]);
    await world.waitForEmail(person.email, ({ subject }) => subject === 'Your account has been deleted');
    expect((await listAuditEntriesBy(world, superAdmin)).at(-1)).toMatchObject({
      type: 'user.deleted',
      subject_id: null,
    });
  });

  it('cannot delete the own account here or the last super admin', async () => {
    const { body } = await superAdmin.client.delete(`${path}/${superAdmin.id}`).expect(403);
    expect(body.code).toBe('OWN_ACCOUNT');
    const other = await registerUser(world);
    await makeSuperAdmin(world, other);
    await reauthenticate(other);
    const responses = await Promise.all([
      superAdmin.client.delete(`${path}/${other.id}`),
      other.client.delete(`${path}/${superAdmin.id}`),
    ]);
    expect(responses.filter(({ status }) => status === 204)).toHaveLength(1);
    expect(await rows('select id from users where is_super_admin and deactivated_at is null')).toHaveLength(1);
    if (responses[1]!.status === 204) superAdmin = other;
  });

  it('is required to invite and delete users', async () => {
    const target = await registerUser(world);
    for (const actor of [admin, person]) {
      await reauthenticate(actor);
      await invite({ email: uniqueAddress() }, actor).expect(403);
      await actor.client.delete(`${path}/${target.id}`).expect(403);
    }
    await world.createClient().post(path).send({ email: uniqueAddress() }).expect(401);
    await world.createClient().delete(`${path}/${target.id}`).expect(401);
    await rows('update sessions set confirmed_at = null where user_id = ?', [superAdmin.id]);
    for (const response of [
      await invite({ email: uniqueAddress() }),
      await superAdmin.client.delete(`${path}/${target.id}`),
    ]) {
      expect([response.status, response.body.code]).toEqual([403, 'CONFIRMATION_REQUIRED']);
    }
    await target.client.get('/api/user').expect(200);
  });

  it('sees the subscription and its Stripe link, which admins do not', async () => {
    const readUser = async (by: Actor) => (await by.client.get(`${path}/${person.id}`).expect(200)).body;
    expect(await readUser(superAdmin)).toMatchObject({ subscription: null, stripeUrl: null });
    await rows(
      `update users set stripe_customer_id = ?, stripe_subscription_id = ?, subscription_status = 'past_due' where id = ?`,
      [`cus_${person.id}`, `sub_${person.id}`, person.id],
    );
    await rows(
      `insert into billing_accounts (user_id, interval, amount, currency, current_period_end, cancel_at_period_end)
       values (?, 'monthly', 1900, 'EUR', '2026-12-01T00:00:00Z', true)`,
      [person.id],
    );
    const subscription = {
      status: 'past_due',
      interval: 'monthly',
      amount: 1900,
      currency: 'EUR',
      cancelAtPeriodEnd: true,
      currentPeriodEnd: '2026-12-01T00:00:00.000Z',
      pastDueSince: null,
    };
    const stripeUrl = `https://dashboard.stripe.com/test/customers/cus_${person.id}`;
    expect(await readUser(superAdmin)).toMatchObject({ hasSubscription: true, subscription, stripeUrl });
    expect(await readUser(admin)).toMatchObject({ subscription, stripeUrl: null });
  });
});

describeInProcess('Daily admin digest', () => {
  let world: World;
  let superAdmin: Actor;
  let admin: Actor;
  let person: Actor;
  beforeAll(async () => {
    world = await World.open();
    ({ superAdmin, admin } = await registerStaff(world));
    person = await registerUser(world);
    for (const { client } of [admin, person]) {
      await client.put('/api/user/profile').send({ notifyAdministration: true }).expect(200);
    }
  });
  afterAll(() => world.close());

  const digests = async ({ email }: Actor) =>
    (await world.listEmails(email)).filter(({ subject }) => subject === "What's new on your site");
  /** Advances to the next morning, when several processes enqueue the job and it may run twice. */
  const nextMorning = async () => {
    world.testApp.clock.advance(86_400_000);
    const cronScheduler = world.testApp.app.get(CronScheduler);
    await Promise.all([1, 2].map(() => cronScheduler.enqueueCronRun(sendAdminDigest, world.testApp.clock.now())));
    await world.testApp.drain();
  };

  it('is sent once to subscribed admins, and not without news', async () => {
    expect((await admin.client.get('/api/user').expect(200)).body.notifyAdministration).toBe(true);
    await nextMorning();
    expect(await digests(admin)).toEqual([]);
    const words = {
      title: 'A darker dark theme',
      description: 'For those who read at night, in bed, and for tired eyes.',
      category: 'feature',
    };
    const response = await signIn(world, person.email).then((client) =>
      client.post('/api/feature-suggestions').send(words),
    );
    expect([response.status, response.body.code]).toEqual([201, undefined]);
    const em = world.testApp.em();
    await em.execute(
      `insert into jobs (queue, name, payload, state, run_at, max_attempts, created_at, dead_at)
       values ('mail', 'some.job', '{}', 'dead', ?, 1, ?, ?)`,
      [world.testApp.clock.now(), world.testApp.clock.now(), world.testApp.clock.now()],
    );
    await em.execute(
      `insert into order_troubles (source, purchase_id, kind, since) values ('woocommerce', '77', 'failed', ?)`,
      [world.testApp.clock.now()],
    );
    await nextMorning();
    const [mail, ...more] = await digests(admin);
    expect(more).toEqual([]);
    expect(mail!.text).toContain('New suggestions: 1. “A darker dark theme”');
    expect(mail!.text).toContain('Failed jobs: 1. some.job');
    expect(mail!.text).toContain('Failed or waiting orders: 1.');
    expect([await digests(superAdmin), await digests(person)]).toEqual([[], []]);
    await nextMorning();
    expect(await digests(admin)).toHaveLength(1);
  });

  it('is claimed by one job per day and repeated on its retries', async () => {
    const adminDigest = world.testApp.app.get(AdminDigestRepository);
    const first = await adminDigest.claimDay('2030-01-01', 71);
    expect(first).not.toBeNull();
    expect(await adminDigest.claimDay('2030-01-01', 72)).toBeNull();
    expect(await adminDigest.claimDay('2030-01-01', 71)).toEqual(first);
  });
});
