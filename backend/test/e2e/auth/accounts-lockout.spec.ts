import { formatRetryAfter } from '../../../src/platform/errors/format-retry-at.js';
import supertest from 'supertest';
import { ExpiredSecretsService } from '../../../src/modules/auth/tokens/expired-secrets.service.js';
import { VerificationCodeService } from '../../../src/modules/auth/registration/verification-code.service.js';
import { PASSWORD, registerUser, uniqueName, type Actor } from '../../support/people/actors.js';
import { enrolAuthenticator } from '../../support/people/authenticator.js';
import { describeInProcess, World, type Client } from '../../support/world.js';
import { requestPasswordReset, OTHER_PASSWORD } from './account-helpers.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';

describeInProcess('Sign-in attempts by others', () => {
  let world: World;
  let ada: Actor;
  beforeAll(async () => {
    world = await World.open({ RATE_LIMIT: 'on', TRUST_PROXY: 'loopback' });
  });
  beforeEach(async () => {
    ada = await registerUser(world);
  });
  afterAll(() => world.close());

  const from = (network: string, client: Client = world.createClient()) => ({
    login: (password: string, email = ada.email) =>
      client.post('/api/login').set('X-Forwarded-For', network).send({ email, password }),
    forgot: (email = ada.email) => client.post('/api/forgot-password').set('X-Forwarded-For', network).send({ email }),
    code: (email: string) => client.post('/api/send-verification').set('X-Forwarded-For', network).send({ email }),
  });
  /** Makes failed attempts from as many networks as needed; each may fail 10 times. */
  async function guess(times: number, network: (index: number) => string): Promise<number[]> {
    const statuses: number[] = [];
    for (let index = 0; index < times; index++) {
      statuses.push((await from(network(Math.floor(index / 10))).login('not the one')).status);
    }
    return statuses;
  }

  it('are limited per network', async () => {
    expect(new Set(await guess(10, () => '198.51.100.7'))).toEqual(new Set([401]));
    const { body, headers } = await from('198.51.100.7').login(PASSWORD).expect(429);
    expect(body.retryAfter).toBe(Number(headers['retry-after']));
    expect(body.message).toBe(`Too many attempts. Please try again ${formatRetryAfter(body.retryAfter).en}.`);
    await from('203.0.113.9').login(PASSWORD).expect(200);
    await from('198.51.100.7').login(PASSWORD).expect(429);
    world.testApp.clock.advance(15 * MINUTE + 1);
    await from('198.51.100.7').login(PASSWORD).expect(200);
  });

  it('do not lock out browsers or networks that have signed in before', async () => {
    const home = world.createClient();
    await from('192.0.2.1', home).login(PASSWORD).expect(200);
    const statuses = await guess(110, (index) => `198.51.100.${index + 20}`);
    expect(statuses.slice(0, 100).every((status) => status === 401)).toBe(true);
    expect(statuses.slice(100).every((status) => status === 429)).toBe(true);
    await from('203.0.113.77').login(PASSWORD).expect(429);
    await from('192.0.2.1').login(PASSWORD).expect(200);
    await from('203.0.113.78', home).login(PASSWORD).expect(200);
  });

  it('are limited to 10 from a browser that has signed in before', async () => {
    const home = world.createClient();
    await from('192.0.2.1', home).login(PASSWORD).expect(200);
    for (let count = 0; count < 10; count++)
      await from(`192.0.2.${count + 1}`, home)
        .login('not the one')
        .expect(401);
    await from('192.0.2.50', home).login(PASSWORD).expect(429);
  });

  it('are limited for a second factor per sign-in, network and hour, apart from those of known browsers', async () => {
    const home = world.createClient();
    await from('192.0.2.1', home).login(PASSWORD).expect(200);
    const { app } = await enrolAuthenticator(world, ada.client);
    const submitCodes = async (network: string, client?: Client, codes = Array<string>(5).fill(app.wrongCode())) => {
      const browser = client ?? world.createClient();
      await from(network, browser).login(PASSWORD).expect(200);
      const statuses: number[] = [];
      for (const code of codes) {
        const { status } = await browser.post('/api/login/factor').set('X-Forwarded-For', network).send({ code });
        statuses.push(status);
      }
      return statuses;
    };
    const wrong = app.wrongCode();
    expect(await submitCodes('198.51.100.1', undefined, Array<string>(6).fill(wrong))).toEqual([
      400, 400, 400, 400, 400, 429,
    ]);
    expect(await submitCodes('198.51.100.1')).toEqual([400, 400, 400, 400, 400]);
    expect(await submitCodes('198.51.100.1', undefined, [wrong])).toEqual([429]);
    for (const network of ['198.51.100.2', '198.51.100.3'])
      for (const round of [1, 2])
        expect([round, ...(await submitCodes(network))]).toEqual([round, 400, 400, 400, 400, 400]);
    // The correct code is rejected too, from any unknown device; known devices are not affected.
    expect(await submitCodes('198.51.100.4', undefined, [app.nextCode()])).toEqual([429]);
    expect(await submitCodes('203.0.113.78', home, [wrong, app.nextCode()])).toEqual([400, 200]);
  });

  it('gain nothing from a forged device cookie or that of another user', async () => {
    const eve = await registerUser(world);
    const hers = world.createClient();
    await from('198.51.100.200', hers).login(PASSWORD, eve.email).expect(200);
    await guess(100, (index) => `198.51.100.${index + 60}`);
    await from('203.0.113.5', hers).login(PASSWORD).expect(429);
    const forgedCookie = `zonary_device=${'a'.repeat(43)}`;
    const { status } = await supertest(world.url)
      .post('/api/login')
      .set({ 'X-Forwarded-For': '203.0.113.6', 'Sec-Fetch-Site': 'same-origin', Cookie: forgedCookie })
      .send({ email: ada.email, password: PASSWORD });
    expect(status).toBe(429);
  });

  it('do not block password resets, whose email names the place and time of the request', async () => {
    await ada.client.put('/api/user/profile').send({ timeZone: 'Europe/Istanbul' }).expect(200);
    // A time zone three hours ahead of UTC.
    const clockThere = () => new Date(world.testApp.clock.now().getTime() + 3 * HOUR).toISOString().slice(11, 16);
    for (let count = 0; count < 5; count++) await from('198.51.100.1').forgot().expect(200);
    await from('198.51.100.1').forgot().expect(429);
    const client = world.createClient().set('User-Agent', FIREFOX) as unknown as Client;
    const before = clockThere();
    await from('8.8.8.8', client).forgot().expect(200);
    const times = [before, clockThere()];
    const mail = await world.waitForEmail(ada.email, ({ text }) => text.includes('United States'));
    expect(mail.text).not.toContain('8.8.8.8');
    const [, at] = /Requested at (.+) GMT\+3 from United States, with Firefox on Windows\./.exec(mail.text) ?? [];
    expect(times).toContain(at);
    expect(mail.text).not.toContain('Gecko');
    const token = /token=([\w-]+)/.exec(mail.text)![1]!;
    await world.createClient().post('/api/reset-password').send({ token, password: OTHER_PASSWORD }).expect(200);
  });

  it('do not block requests for a code or void codes already sent', async () => {
    const email = `${uniqueName('new')}@example.com`;
    for (let count = 0; count < 5; count++) await from('198.51.100.1').code(email).expect(200);
    await from('198.51.100.1').code(email).expect(429);
    await from('195.175.39.39').code(email).expect(200);
    await world.waitForEmail(email, ({ text }) => text.includes(' UTC from Türkiye, with '));
  });

  it('are cleared by a password reset', async () => {
    await guess(100, (index) => `198.51.100.${index + 120}`);
    await from('203.0.113.40').login(PASSWORD).expect(429);
    const token = await requestPasswordReset(world, ada.email);
    await world.createClient().post('/api/reset-password').send({ token, password: OTHER_PASSWORD }).expect(200);
    await from('203.0.113.40').login(OTHER_PASSWORD).expect(200);
  });
});

describeInProcess('Verification codes of one address', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.open();
  });
  afterAll(() => world.close());

  it('are limited to three valid codes and five attempts, and are used up together', async () => {
    const codes = world.testApp.app.get(VerificationCodeService);
    const issue = (email: string) => codes.issueCode(email, 'register');
    const check = (email: string, code: string) => codes.verifyCode(email, 'register', code);
    const email = `${uniqueName('codes')}@example.com`;
    const [first, second, third, fourth] = [
      await issue(email),
      await issue(email),
      await issue(email),
      await issue(email),
    ];
    const others = ['000000', '000001', '000002', '000003', '000004'].filter(
      (code) => ![first, second, third, fourth].includes(code),
    );
    if (![second, third, fourth].includes(first)) await expect(check(email, first)).rejects.toThrow('CODE_INVALID');
    const id = await check(email, second);
    await codes.consumeCode(world.testApp.em(), id);
    for (const code of [second, third, fourth]) await expect(check(email, code)).rejects.toThrow('CODE_INVALID');

    const guessed = `${uniqueName('guessed')}@example.com`;
    const open = [await issue(guessed), await issue(guessed), await issue(guessed)];
    const wrong = others.filter((code) => !open.includes(code));
    for (let count = 0; count < 5; count++) {
      await expect(check(guessed, wrong[count % wrong.length]!)).rejects.toThrow('CODE_INVALID');
    }
    for (const code of open) await expect(check(guessed, code)).rejects.toThrow('CODE_INVALID');
  });
});

describeInProcess('Known devices of a user', () => {
  let world: World;
  let ada: Actor;
  beforeAll(async () => {
    world = await World.open();
  });
  beforeEach(async () => {
    ada = await registerUser(world);
  });
  afterAll(() => world.close());

  const login = (client: Client, agent = FIREFOX) =>
    client.post('/api/login').set('User-Agent', agent).send({ email: ada.email, password: PASSWORD }).expect(200);
  const rows = () => world.testApp.em().execute('select * from known_devices where user_id = ?', [ada.id]);
  const listNotifications = async () => {
    await world.testApp.drain();
    return (await world.listEmails(ada.email)).filter(({ subject }) => subject === 'New sign-in from a new device');
  };

  it('trigger an email when new, except for the first one', async () => {
    const [phone, laptop] = [world.createClient(), world.createClient()];
    const { headers } = await login(phone);
    const cookies = String(headers['set-cookie']);
    expect(cookies).toMatch(
      /zonary_device=[\w-]{43}; Max-Age=31536000; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax/,
    );
    expect(await listNotifications()).toEqual([]);
    await login(phone);
    expect(await listNotifications()).toEqual([]);
    await login(laptop);
    const [mail, ...more] = await listNotifications();
    expect(more).toEqual([]);
    expect(mail!.text).toContain('Firefox, Windows');
    expect(mail!.text).toContain('127.0.0.1');
    expect(mail!.text).toContain('/forgot-password');
    await login(laptop);
    expect(await listNotifications()).toHaveLength(1);
    const device = /zonary_device=([\w-]{43})/.exec(cookies)![1]!;
    expect(JSON.stringify(await rows())).not.toContain(device);
  });

  it('are limited to 20, dropping the least recently used one', async () => {
    const first = world.createClient();
    await login(first);
    for (let count = 0; count < 20; count++) await login(world.createClient());
    expect(await rows()).toHaveLength(20);
    const before = (await listNotifications()).length;
    await login(first);
    expect(await listNotifications()).toHaveLength(before + 1);
  });

  it('are part of the export and are deleted with the account', async () => {
    await login(ada.client);
    const { body } = await ada.client.get('/api/user/export').expect(200);
    expect(body.devices).toEqual([
      expect.objectContaining({ network: '127.0.0.1', userAgent: FIREFOX, firstSeenAt: expect.any(String) }),
    ]);
    await ada.client.delete('/api/user').send({ password: ada.password }).expect(204);
    await world.testApp.drain();
    expect(await rows()).toEqual([]);
  });

  it('lose their network after 90 days and are deleted after 400', async () => {
    await login(world.createClient());
    const purge = async () => {
      await world.testApp.app.get(ExpiredSecretsService).purgeExpiredSecrets();
      return rows();
    };
    expect(await purge()).toMatchObject([{ network: '127.0.0.1' }]);
    world.testApp.clock.advance(90 * 24 * HOUR + 1);
    expect(await purge()).toMatchObject([{ network: null }]);
    world.testApp.clock.advance(310 * 24 * HOUR);
    expect(await purge()).toEqual([]);
  });
});
