import {
  type Actor,
  reauthenticateByEmail,
  createZone,
  joinPublicZone,
  registerUser,
  uniqueName,
} from '../../support/people/actors.js';
import { joinAsRestrictedUser } from '../../support/people/restricted-user.js';
import { describeInProcess, World } from '../../support/world.js';
import { runConcurrently, listAuditTypes } from '../auth/account-helpers.js';

const DAY = 86_400_000;

let world: World;
let ada: Actor;
beforeAll(async () => {
  world = await World.open();
});
beforeEach(async () => {
  ada = await registerUser(world);
});
afterAll(() => world.close());

const names = { firstName: 'Ada', lastName: 'Lovelace' };
const put = (actor: Actor, body: object) => actor.client.put('/api/user/profile').send(body);
const me = async (actor: Actor) => (await actor.client.get('/api/user').expect(200)).body;

describe('PUT /api/user/profile', () => {
  it('accepts names, language, time zone and postal address and returns the user', async () => {
    const change = { ...names, language: 'tr', timeZone: 'Europe/Istanbul', postalAddress: ' Main Street 1\nAnkara ' };
    const { body } = await put(ada, change).expect(200);
    expect(body.user).toEqual(await me(ada));
    expect(body.user).toMatchObject({ ...change, postalAddress: 'Main Street 1\nAnkara', email: ada.email });
    expect((await ada.client.get('/api/zones/0').expect(404)).body.message).toBe('Bulunamadı.');
  });

  it('keeps omitted fields and clears null ones', async () => {
    await put(ada, { ...names, language: 'tr', timeZone: 'UTC', postalAddress: 'Here' }).expect(200);
    const unchanged = await put(ada, names).expect(200);
    expect(unchanged.body.user).toMatchObject({
      username: ada.username,
      language: 'tr',
      timeZone: 'UTC',
      postalAddress: 'Here',
    });
    const cleared = await put(ada, { ...names, timeZone: null, postalAddress: '' }).expect(200);
    expect(cleared.body.user).toMatchObject({ timeZone: null, postalAddress: null });
  });

  it('accepts the notification setting for accepted invitations, which is on by default', async () => {
    expect(await me(ada)).toMatchObject({ notifyAcceptedInvitations: true });
    const { body } = await put(ada, { ...names, notifyAcceptedInvitations: false }).expect(200);
    expect(body.user).toMatchObject({ notifyAcceptedInvitations: false });
    expect((await put(ada, names).expect(200)).body.user).toMatchObject({ notifyAcceptedInvitations: false });
  });

  it.each([
    { firstName: 'Ada', lastName: '' },
    { firstName: ' Ada ', lastName: ' ' },
    { firstName: 'Ada', lastName: '.' },
  ])('stores "." as the last name of people with one name (%j)', async (body) => {
    const { user } = (await put(ada, body).expect(200)).body;
    expect(user).toMatchObject({ firstName: 'Ada', lastName: '.' });
  });

  it.each([
    [{ firstName: ' ' }, 'firstName', 'Name is required'],
    [{ firstName: null }, 'firstName', 'Name is required'],
    [{ firstName: 'a'.repeat(51) }, 'firstName', 'First name too long'],
    [{ ...names, lastName: 'a'.repeat(51) }, 'lastName', 'Last name too long'],
    [{ ...names, username: 'ab' }, 'username', 'Username must be at least 3 characters'],
    [{ ...names, username: 'a'.repeat(31) }, 'username', 'Username cannot exceed 30 characters'],
    [
      { ...names, username: 'a b c' },
      'username',
      'Username can only contain letters, numbers, underscores, and dashes',
    ],
    [{ ...names, language: 'de' }, 'language', 'Please choose English or Turkish.'],
    [{ ...names, timeZone: 'Mars/Olympus' }, 'timeZone', 'Please choose a time zone.'],
    [{ ...names, timeZone: '+03:00' }, 'timeZone', 'Please choose a time zone.'],
    [{ ...names, postalAddress: 'a'.repeat(501) }, 'postalAddress', 'The postal address is too long.'],
    [{ ...names, notifyAcceptedInvitations: 'no' }, 'notifyAcceptedInvitations', 'This must be true or false'],
    [{ ...names, email: 'new@example.com' }, 'email', 'Unknown field.'],
    [{ ...names, isSuperAdmin: true }, 'isSuperAdmin', 'Unknown field.'],
  ])('rejects %j', async (body, field, sentence) => {
    const response = await put(ada, body).expect(400);
    expect(response.body.errors[field]).toEqual([sentence]);
  });

  it('changes only the fields that are sent', async () => {
    const all = { ...names, language: 'tr', timeZone: 'Europe/Istanbul', postalAddress: 'Ankara' };
    await put(ada, all).expect(200);
    for (const change of [
      { firstName: 'Augusta' },
      { lastName: 'King' },
      { timeZone: 'UTC' },
      { notifySuggestions: false },
    ]) {
      const before = await me(ada);
      expect((await put(ada, change).expect(200)).body.user).toEqual({ ...before, ...change });
    }
    expect((await put(ada, {}).expect(400)).body.code).toBe('NOTHING_TO_CHANGE');
  });

  it('updates copies of the name', async () => {
    const owner = await registerUser(world);
    const zone = await createZone(owner, { autoJoin: false });
    await ada.client
      .post(`/api/public-zones/${zone.publicLink}/join`)
      .send({ email: ada.email, emailConsent: true })
      .expect(200);
    await put(ada, { firstName: 'Augusta', lastName: 'King' }).expect(200);
    const { body } = await owner.client.get(`/api/zones/${zone.id}/join-requests`).expect(200);
    expect(body).toMatchObject([{ firstName: 'Augusta', lastName: 'King' }]);
  });
});

describe('Username', () => {
  const rename = (actor: Actor, username: string) => put(actor, { ...names, username });

  it('is stored in lower case, may contain a dash and becomes free when changed', async () => {
    const before = ada.username;
    const wanted = uniqueName('Ada').replace('_', '-');
    expect((await rename(ada, wanted).expect(200)).body.user.username).toBe(wanted.toLowerCase());
    const other = await registerUser(world);
    expect((await rename(other, wanted.toUpperCase()).expect(409)).body.code).toBe('USERNAME_TAKEN');
    expect((await rename(other, 'Support').expect(409)).body.code).toBe('USERNAME_RESERVED');
    await rename(other, before).expect(200);
  });

  it('does not count as changed when it stays the same', async () => {
    for (let count = 0; count < 4; count++) await rename(ada, ada.username.toUpperCase()).expect(200);
    await rename(ada, uniqueName('one')).expect(200);
  });

  it('goes to one of 20 concurrent requests, and the others keep theirs', async () => {
    const people: Actor[] = [];
    for (let count = 0; count < 20; count++) people.push(await registerUser(world));
    const wanted = uniqueName('wanted');
    const responses = await runConcurrently(20, (index) => rename(people[index]!, wanted));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(responses.filter(({ status, body }) => status === 409 && body.code === 'USERNAME_TAKEN')).toHaveLength(19);
    const loser = people[responses.findIndex(({ status }) => status === 409)]!;
    expect((await me(loser)).username).toBe(loser.username);
  });
});

describeInProcess('Username change limit', () => {
  const rename = (actor: Actor, username = uniqueName('name')) => put(actor, { ...names, username });

  it('allows two changes in 10 days and names the date of the next one', async () => {
    const start = world.testApp.clock.now();
    await rename(ada).expect(200);
    world.testApp.clock.advance(6 * DAY);
    await rename(ada).expect(200);
    const rejected = await rename(ada).expect(409);
    expect(rejected.body.code).toBe('USERNAME_CHANGE_LIMIT');
    expect(rejected.body.message).toContain(new Date(start.getTime() + 10 * DAY).toISOString().slice(0, 10));
    world.testApp.clock.advance(4 * DAY);
    await rename(ada).expect(200);
    await rename(ada).expect(409);
    world.testApp.clock.advance(6 * DAY);
    await rename(ada).expect(200);
  });

  it('holds for 20 concurrent changes', async () => {
    const responses = await runConcurrently(20, () => rename(ada));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(2);
    expect(responses.filter(({ body }) => body.code === 'USERNAME_CHANGE_LIMIT')).toHaveLength(18);
    const types = await listAuditTypes(world, ada.id);
    expect(types.filter((type) => type === 'user.username-changed')).toHaveLength(2);
  });

  it('does not count the first username set in the settings', async () => {
    await world.testApp.em().execute('update users set username = null where id = ?', [ada.id]);
    for (let count = 0; count < 3; count++) await rename(ada).expect(200);
    await rename(ada).expect(409);
  });

  it('does not count the first username or rejected changes', async () => {
    const owner = await registerUser(world);
    const zone = await createZone(owner);
    const email = `${uniqueName('joined')}@example.com`;
    const client = await joinAsRestrictedUser(world, zone, email);
    await reauthenticateByEmail(world, client, email);
    const form = { email, ...names, username: uniqueName('first'), newPassword: 'a good enough one' };
    await client.post('/api/complete-profile').send(form).expect(200);
    const actor = { ...ada, email, client };
    for (let count = 0; count < 5; count++) await rename(actor, ada.username).expect(409);
    await rename(actor).expect(200);
    await rename(actor).expect(200);
    await rename(actor).expect(409);
  });

  it('leaves the other fields of a rejected form unchanged', async () => {
    await rename(ada).expect(200);
    await rename(ada).expect(200);
    await put(ada, { firstName: 'Other', username: uniqueName('third') }).expect(409);
    expect((await me(ada)).firstName).toBe('Ada');
  });

  it('deletes change records that no longer count', async () => {
    const zone = await createZone(await registerUser(world));
    await joinPublicZone(zone, ada);
    await rename(ada).expect(200);
    const rows = () => world.testApp.em().execute('select id from username_changes where user_id = ?', [ada.id]);
    expect(await rows()).toHaveLength(1);
    world.testApp.clock.advance(10 * DAY);
    const { CronScheduler } = await import('../../../src/platform/jobs/cron/cron-scheduler.js');
    const { purgeExpiredSecrets } = await import('../../../src/modules/auth/auth.jobs.js');
    await world.testApp.app.get(CronScheduler).enqueueCronRun(purgeExpiredSecrets, world.testApp.clock.now());
    await world.testApp.drain();
    expect(await rows()).toHaveLength(0);
  });
});
