import { PasswordStrengthService } from '../../../src/modules/auth/passwords/password-strength.service.js';
import type { ConcurrencyLimiter } from '../../../src/platform/http/limits/concurrency-limiter.js';
import { LinkPasswordService } from '../../../src/modules/links/temporary/link-password.service.js';
import { RateLimitService } from '../../../src/platform/http/limits/rate-limit.service.js';
import { WarmupTasks } from '../../../src/platform/health/warmup-tasks.js';
import { PasswordHashService } from '../../../src/modules/auth/passwords/password-hash.service.js';
import {
  waitForCode,
  reauthenticateByEmail,
  createZone,
  PASSWORD,
  registerUser,
  uniqueName,
} from '../../support/people/actors.js';
import { joinAsRestrictedUser } from '../../support/people/restricted-user.js';
import { inviteNewAddress } from '../../support/people/invitations.js';
import { describeInProcess, World } from '../../support/world.js';
import { waitUntil } from '../../support/wait-until.js';
import { requestPasswordReset, runConcurrently, countStatuses, signIn } from './account-helpers.js';

const WEAK = 'Passw0rd!';
const EASY = /easy to guess/;
const OWN = "Please don't use your name or email address in the password.";

let world: World;
beforeAll(async () => {
  world = await World.open();
});
afterAll(() => world.close());

const names = () => ({ firstName: 'Kadriye', lastName: 'Mutlubaş', username: uniqueName('kadriye') });

async function requestCode(email: string): Promise<string> {
  await world.createClient().post('/api/send-verification').send({ email }).expect(200);
  return waitForCode(world, email);
}

describe('Password strength', () => {
  const check = (password: string, more: object = {}) =>
    world
      .createClient()
      .post('/api/check-password')
      .send({ password, ...more });

  it.each([
    [WEAK],
    ['P@$$w0rd2024'],
    ['Password123'],
    ['qwertyuiop1'],
    ['aaaaaaaaaaaaaaaa'],
    ['12.05.1987'],
    ['Galatasaray1905'],
    ['fenerbahce34'],
    ['seniseviyorum1'],
    ['sifrem1234'],
    ['Zonary2026!'],
  ])('rejects a password before a code is emailed: %s', async (password) => {
    const { body } = await check(password).expect(200);
    expect(body).toEqual({ ok: false, message: expect.any(String) });
  });

  it('rejects passwords made of details of the user', async () => {
    const who = {
      email: 'kadriye.mutlubas@ornek.example',
      firstName: 'Kadriye',
      lastName: 'Mutlubaş',
      username: 'kadriyem',
    };
    for (const password of ['KadriyeMutlubaş', 'kadriye.mutlubas', 'Kadriyem1987', 'ornek.example']) {
      expect((await check(password, who).expect(200)).body.ok).toBe(false);
    }
    expect((await check('three tall lanterns', who).expect(200)).body).toEqual({ ok: true, message: null });
  });

  it('rejects passwords that contain a name of the user or product, however spelt', async () => {
    const who = { email: 'muallim@ornek.example', firstName: 'Işıl Nur', lastName: 'Öz', username: 'patika7' };
    const rejected = ['seven isil lanterns', 'seven NUR lanterns', 'seven patika7 lanterns', 'seven muallim lanterns'];
    for (const password of [...rejected, 'seven zonary lanterns']) {
      expect((await check(password, who).expect(200)).body).toEqual({ ok: false, message: OWN });
    }
    const { body } = await check('seven IŞIL lanterns', who).set('Accept-Language', 'tr').expect(200);
    expect(body.message).toBe('Lütfen parolada adınızı veya e-posta adresinizi kullanmayın.');
    // Names of two letters and the domain of an email address are ignored, because too many passwords contain them.
    for (const password of ['seven ozone lanterns', 'seven ornek lanterns']) {
      expect((await check(password, who).expect(200)).body).toEqual({ ok: true, message: null });
    }
  });

  it('rejects a short name of the user as a word, but not within other words', async () => {
    const ali = { email: 'muallim@ornek.example', firstName: 'Ali Eva', lastName: 'Mark', username: 'patika7' };
    for (const password of [
      ...[
        'ankaraAli1987',
        'seven ali lanterns',
        'copper lanterns, ALI',
        '7ali7 copper lanterns',
        'sevenCopperEvaLantern',
      ],
      ...['ali veli lanterns', 'a mark on lanterns', 'italian ali coffee', 'ankaraali1987', 'copper1987evalanterns'],
    ]) {
      expect([password, (await check(password, ali).expect(200)).body.message]).toEqual([password, OWN]);
    }
    for (const password of ['italian coffee evaluates', 'market medieval lanterns']) {
      expect([password, (await check(password, ali).expect(200)).body.ok]).toEqual([password, true]);
    }
  });

  it('rejects names written with or without Turkish dots or separate marks', async () => {
    const who = { firstName: 'İpek', lastName: 'Gülşenâz', username: 'patika7' };
    for (const password of ['seven ipek lanterns', 'seven İPEK lanterns', 'gu\u0308ls\u0327enazlanterns']) {
      expect([password, (await check(password, who).expect(200)).body.message]).toEqual([password, OWN]);
    }
  });

  it('explains the rejection in the requested language', async () => {
    const { body } = await check(WEAK).set('Accept-Language', 'tr').expect(200);
    expect(body.message).toMatch(/Bu parola/);
  });

  it('rejects weak passwords at registration and keeps the code valid', async () => {
    const email = `${uniqueName('weak')}@example.com`;
    const verificationCode = await requestCode(email);
    const form = { email, ...names(), verificationCode };
    const send = (password: string) =>
      world
        .createClient()
        .post('/api/register')
        .send({ ...form, password });
    expect((await send(WEAK).expect(400)).body.errors.password[0]).toMatch(EASY);
    for (const own of [form.username, 'MUTLUBAS', email.split('@')[0]]) {
      const { body } = await send(`seven ${own} lanterns of copper`).expect(400);
      expect(body.errors.password).toEqual([OWN]);
    }
    await send(PASSWORD).expect(201);
  });

  it('rejects weak passwords on reset, change, profile completion and invitation', async () => {
    const ada = await registerUser(world);
    const token = await requestPasswordReset(world, ada.email);
    const reset = await world.createClient().post('/api/reset-password').send({ token, password: WEAK }).expect(400);
    expect(reset.body.errors.password[0]).toMatch(EASY);
    const change = { email: ada.email, currentPassword: PASSWORD, newPassword: WEAK };
    const named = await world
      .createClient()
      .post('/api/reset-password')
      .send({ token, password: `seven ${ada.username} lanterns` })
      .expect(400);
    expect(named.body.errors.password).toEqual([OWN]);
    const renamed = { ...change, newPassword: `seven ${ada.username} lanterns` };
    const own = await ada.client.post('/api/change-password').send(renamed).expect(400);
    expect(own.body.errors.newPassword).toEqual([OWN]);
    const changed = await ada.client.post('/api/change-password').send(change).expect(400);
    expect(changed.body.errors.newPassword[0]).toMatch(EASY);

    const zone = await createZone(ada);
    const email = `${uniqueName('new')}@example.com`;
    const client = await joinAsRestrictedUser(world, zone, email);
    await reauthenticateByEmail(world, client, email);
    const profile = { email, ...names(), newPassword: WEAK };
    const finished = await client.post('/api/complete-profile').send(profile).expect(400);
    expect(finished.body.errors.newPassword[0]).toMatch(EASY);
    const ownName = { ...profile, newPassword: 'seven Mutlubaş lanterns' };
    const rejected = await client.post('/api/complete-profile').send(ownName).expect(400);
    expect(rejected.body.errors.newPassword).toEqual([OWN]);
    await signIn(world, ada.email);

    const { email: guest, token: invitation, password } = await inviteNewAddress(world, zone, ada);
    const form = { token: invitation, email: guest, password, emailConsent: true, ...names(), newPassword: WEAK };
    const accepted = await world.createClient().post('/api/accept-invite').send(form).expect(400);
    expect(accepted.body.errors.newPassword[0]).toMatch(EASY);
    const theirs = await world
      .createClient()
      .post('/api/accept-invite')
      .send({ ...form, newPassword: 'seven Mutlubaş lanterns' })
      .expect(400);
    expect(theirs.body.errors.newPassword).toEqual([OWN]);
  });

  it('evaluates long passwords quickly', async () => {
    const { body } = await check('4@4@4@$$00!!aA'.repeat(14)).expect(200);
    expect(body.ok).toEqual(expect.any(Boolean));
    await check('x'.repeat(201)).expect(400);
  });
});

describeInProcess('Password hashing', () => {
  it('has its dictionaries loaded by a warm-up task before the first request', async () => {
    const { app, config } = world.testApp;
    const warmupTasks = new WarmupTasks();
    const strength = new PasswordStrengthService(config, warmupTasks) as unknown as {
      context: Promise<unknown> | null;
    };
    expect(strength.context).toBeNull();
    await warmupTasks.run();
    expect(await strength.context).toEqual({ estimator: expect.anything(), common: expect.any(Set) });
    // This task runs before a process listens.
    expect((app.get(WarmupTasks) as unknown as { tasks: unknown[] }).tasks).not.toHaveLength(0);
  });

  it('is skipped for users without a valid code', async () => {
    const email = `${uniqueName('none')}@example.com`;
    await requestCode(email);
    const passwords = world.testApp.app.get(PasswordHashService);
    const hashes = jest.spyOn(passwords, 'hash');
    const form = { email, password: PASSWORD, ...names(), verificationCode: '000000' };
    const responses = await runConcurrently(300, (index) =>
      world
        .createClient()
        .post('/api/register')
        .send({ ...form, email: index % 2 ? email : `${uniqueName('no')}@example.com`, verificationCode: '000000' }),
    );
    expect(Object.keys(countStatuses(responses))).toEqual(['400']);
    expect(hashes).not.toHaveBeenCalled();
    hashes.mockRestore();
  });

  it('is skipped for users who have a profile already', async () => {
    const ada = await registerUser(world);
    const hashes = jest.spyOn(world.testApp.app.get(PasswordHashService), 'hash');
    const profile = {
      email: ada.email,
      ...names(),
      newPassword: 'three tall lanterns',
    };
    expect((await ada.client.post('/api/complete-profile').send(profile).expect(409)).body.code).toBe(
      'PROFILE_COMPLETE',
    );
    expect(hashes).not.toHaveBeenCalled();
    hashes.mockRestore();
  });

  /** Fills all slots and the queue until the returned function is called. */
  function fillQueue(service: object, atOnce: number): () => Promise<unknown> {
    const { limiter: concurrency } = service as { limiter: ConcurrencyLimiter };
    let open = () => {};
    const gate = new Promise<void>((resolve) => (open = resolve));
    const before = Promise.all(Array.from({ length: atOnce + 32 }, () => concurrency.run(() => gate)));
    return () => {
      open();
      return before;
    };
  }

  it('returns 503 with Retry-After when its queue is full, and recovers', async () => {
    const { email } = await registerUser(world);
    const releaseAll = fillQueue(world.testApp.app.get(PasswordHashService), 2);
    const login = () => world.createClient().post('/api/login').send({ email, password: PASSWORD });
    const { status, body, headers } = await login();
    expect([status, body.code, headers['retry-after']]).toEqual([503, 'SERVER_BUSY', '5']);
    await releaseAll();
    await login().expect(200);
  });

  it('rejects link passwords in favour of sign-ins when eight are waiting', async () => {
    const ada = await registerUser(world);
    const passwords = world.testApp.app.get(PasswordHashService);
    const linkPasswords = new LinkPasswordService(passwords, world.testApp.app.get(RateLimitService));
    const recordAttack = () => Promise.resolve();
    const link = { id: '1', password: await passwords.hash('a link password'), isKnownVisitor: false, recordAttack };
    const { limiter: concurrency } = passwords as unknown as { limiter: ConcurrencyLimiter };
    let open = () => {};
    const gate = new Promise<void>((resolve) => (open = resolve));
    const before = Promise.all(Array.from({ length: 2 + 8 }, () => concurrency.run(() => gate)));
    const { queue: waiting } = concurrency as unknown as { queue: unknown[] };
    let outcome: string | null = null;
    const trying = linkPasswords.assertPassword(link, 'a link password', null).then(
      () => (outcome = 'compared'),
      ({ code }: { code: string }) => (outcome = code),
    );
    // A request that queues anyway would wait as long as the others.
    await waitUntil('the password is rejected or queued', () => outcome !== null || waiting.length > 8);
    const signingIn = passwords.verify(link.password, 'a link password');
    open();
    await before;
    expect([await trying, await signingIn]).toEqual(['SERVER_BUSY', true]);
    await linkPasswords.assertPassword(link, 'a link password', null);
    await signIn(world, ada.email);
  });

  it('has a queue, as has strength evaluation, and other requests are served in between', async () => {
    const strength = world.testApp.app.get(PasswordStrengthService);
    const check = () => world.createClient().post('/api/check-password').send({ password: 'three tall lanterns' });
    const releaseAll = fillQueue(strength, 1);
    const { status, body, headers } = await check();
    expect([status, body.code, headers['retry-after']]).toEqual([503, 'SERVER_BUSY', '5']);
    await releaseAll();
    await check().expect(200);
    expect((strength as unknown as { limiter: { rules: object } }).limiter.rules).toEqual({
      maxConcurrent: 1,
      pausesBetween: true,
    });
  });
});
