import { VerificationCodeService } from '../../../src/modules/auth/registration/verification-code.service.js';
import { SingleUseTokenRepository } from '../../../src/modules/auth/tokens/single-use-token.repository.js';
import { inTransaction } from '../../../src/platform/database/transaction.js';
import { JobsService } from '../../../src/platform/jobs/jobs.service.js';
import { PASSWORD, registerUser, uniqueName, type Actor } from '../../support/people/actors.js';
import { describeInProcess, World, type Client } from '../../support/world.js';
import { runConcurrently, countStatuses, createApiToken, OTHER_PASSWORD } from './account-helpers.js';

const HOME = '192.0.2.1';
const OTHER_NETWORK = '198.51.100.7';
const HOUR = 3_600_000;

describeInProcess('Emails requested by others', () => {
  let world: World;
  let ada: Actor;
  beforeAll(async () => {
    world = await World.open({ TRUST_PROXY: 'loopback' });
  });
  beforeEach(async () => {
    ada = await registerUser(world);
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => world.close());

  const post = (path: string, network: string, body: object, client: Client = world.createClient()) =>
    client.post(path).set('X-Forwarded-For', network).send(body);
  const requestReset = (network: string, client?: Client) =>
    post('/api/forgot-password', network, { email: ada.email }, client).expect(200);
  const requestSignIn = (network: string, client?: Client) =>
    post('/api/sign-in-mails', network, { email: ada.email }, client).expect(200);
  /** Triggers one email and returns it. */
  const triggerEmail = async (sendRequest: () => PromiseLike<unknown>, email = ada.email) => {
    const before = new Set((await world.listEmails(email)).map(({ id }) => id));
    await sendRequest();
    return world.waitForEmail(email, ({ id }) => !before.has(id));
  };
  const tokenIn = ({ text }: { text: string }) => /token=([\w-]+)/.exec(text)![1]!;
  const codeIn = ({ text }: { text: string }) => /\b\d{6}\b/.exec(text)![0];
  const isUsable = async (token: string) =>
    (await world.createClient().post('/api/reset-password/check').send({ token }).expect(200)).body.usable as boolean;
  const wrong = (code: string, by = 1) => String((Number(code) + by) % 1_000_000).padStart(6, '0');

  it("keep other requesters' reset links valid; repeated requests void only one's own", async () => {
    const ownEmail = [tokenIn(await triggerEmail(() => requestReset(HOME)))];
    const theirs: string[] = [];
    for (const network of [
      OTHER_NETWORK,
      OTHER_NETWORK,
      OTHER_NETWORK,
      OTHER_NETWORK,
      '203.0.113.1',
      '203.0.113.2',
      '2001:db8::1',
    ]) {
      theirs.push(tokenIn(await triggerEmail(() => requestReset(network))));
    }
    expect(await Promise.all(theirs.map(isUsable))).toEqual([false, true, true, true, true, true, true]);
    expect(await isUsable(ownEmail[0]!)).toBe(true);
    while (ownEmail.length < 4) ownEmail.push(tokenIn(await triggerEmail(() => requestReset(HOME))));
    expect(await Promise.all(ownEmail.map(isUsable))).toEqual([false, true, true, true]);
    const [, second] = ownEmail;
    await world
      .createClient()
      .post('/api/reset-password')
      .send({ token: second, password: OTHER_PASSWORD })
      .expect(200);
    expect(await Promise.all([...ownEmail, ...theirs].map(isUsable))).not.toContain(true);
  });

  it('keep the link of a known browser valid, even from its own network', async () => {
    const home = world.createClient();
    await post('/api/login', HOME, { email: ada.email, password: PASSWORD }, home).expect(200);
    const ownEmail = tokenIn(await triggerEmail(() => requestReset(OTHER_NETWORK, home)));
    for (let count = 0; count < 3; count++) await triggerEmail(() => requestReset(OTHER_NETWORK));
    expect(await isUsable(ownEmail)).toBe(true);
    const otherBrowser = world.createClient();
    otherBrowser.jar.setCookie(`zonary_device=${'a'.repeat(43)}; path=/`, new URL(world.url).hostname);
    const first = tokenIn(await triggerEmail(() => requestReset(HOME, otherBrowser)));
    for (let count = 0; count < 3; count++) await triggerEmail(() => requestReset(HOME));
    expect([await isUsable(ownEmail), await isUsable(first)]).toEqual([true, false]);
  });

  it("keep the link of an administrator's invitation valid", async () => {
    const tokens = world.testApp.app.get(SingleUseTokenRepository);
    const grant = { email: ada.email, purpose: 'reset-password' } as const;
    const invited = await inTransaction(world.testApp.em(), (em) => tokens.issueToken(em, grant, HOUR, 3));
    for (let count = 0; count < 3; count++) await triggerEmail(() => requestReset(OTHER_NETWORK));
    expect(await isUsable(invited)).toBe(true);
  });

  it('keep sign-in links, sign-in codes and registration codes valid', async () => {
    const ownEmail = await triggerEmail(() => requestSignIn(HOME));
    for (let count = 0; count < 4; count++) await triggerEmail(() => requestSignIn(OTHER_NETWORK));
    const { body } = await world
      .createClient()
      .post('/api/sign-in-links/check')
      .send({ token: tokenIn(ownEmail) })
      .expect(200);
    expect(body).toEqual({ usable: true });
    await post('/api/sign-in-codes', HOME, { email: ada.email, code: codeIn(ownEmail) }).expect(200);

    const email = `${uniqueName('new')}@example.com`;
    const requestCode = (network: string) => post('/api/send-verification', network, { email }).expect(200);
    const verificationCode = codeIn(await triggerEmail(() => requestCode(HOME), email));
    for (let count = 0; count < 4; count++) await triggerEmail(() => requestCode(OTHER_NETWORK), email);
    const names = { firstName: 'Zoe', lastName: 'Newman', username: uniqueName('new') };
    await post('/api/register', HOME, { email, password: PASSWORD, ...names, verificationCode }).expect(201);
  });

  it("do not let guesses from many networks use up the requester's attempts", async () => {
    const code = codeIn(await triggerEmail(() => requestSignIn(HOME)));
    const guess = (network: string, guessed: string) =>
      post('/api/sign-in-codes', network, { email: ada.email, code: guessed });
    const guesses = await runConcurrently(20, (index) => guess(`203.0.113.${index + 1}`, wrong(code, index + 1)));
    expect(countStatuses(guesses)).toEqual({ 400: 20 });
    // Unknown networks share one limit of attempts. It is used up, so even the correct code is rejected.
    await guess('203.0.113.99', code).expect(400);
    for (let count = 0; count < 4; count++) await guess(HOME, wrong(code)).expect(400);
    await guess(HOME, code).expect(200);
  });

  it("hold codes that are accepted from any network, with five attempts from the requester's own", async () => {
    const first = codeIn(await triggerEmail(() => requestSignIn(HOME)));
    await post('/api/sign-in-codes', '203.0.113.7', { email: ada.email, code: first }).expect(200);
    const second = codeIn(await triggerEmail(() => requestSignIn(HOME)));
    const own = await runConcurrently(10, (index) =>
      post('/api/sign-in-codes', HOME, { email: ada.email, code: wrong(second, index + 1) }),
    );
    expect(countStatuses(own)).toEqual({ 400: 10 });
    await post('/api/sign-in-codes', HOME, { email: ada.email, code: second }).expect(400);
  });

  it('are limited to three valid ones per requester, even when concurrent', async () => {
    const codes = world.testApp.app.get(VerificationCodeService);
    const tokens = world.testApp.app.get(SingleUseTokenRepository);
    const email = `${uniqueName('at-once')}@example.com`;
    const grant = { email, purpose: 'reset-password' } as const;
    const requesters = ['first', 'second', 'third'];
    await runConcurrently(30, async (index) => {
      const requestedBy = requesters[index % 3]!;
      await codes.issueCode(email, 'register', requestedBy);
      await inTransaction(world.testApp.em(), (em) =>
        tokens.issueToken(em, { ...grant, askedBy: requestedBy }, HOUR, 3),
      );
    });
    const three = requesters.map((asked_by) => ({ asked_by, open: 3 }));
    const rows = (sql: string) => world.testApp.em().execute(sql, [email]);
    const counted = 'select asked_by, count(*)::int as open from';
    expect(
      await rows(`${counted} email_verifications where email = ? and not is_used group by asked_by order by asked_by`),
    ).toEqual(three.sort((a, b) => a.asked_by.localeCompare(b.asked_by)));
    expect(await rows(`${counted} single_use_tokens where email = ? group by asked_by order by asked_by`)).toEqual(
      three,
    );
  });

  it('leave no network in the job payloads that administrators see', async () => {
    const payloads: string[] = [];
    const enqueue = jest.spyOn(world.testApp.app.get(JobsService), 'enqueue');
    await requestReset(OTHER_NETWORK);
    await requestSignIn(OTHER_NETWORK);
    await post('/api/send-verification', OTHER_NETWORK, { email: `${uniqueName('new')}@example.com` }).expect(200);
    const { token } = await createApiToken(ada);
    await world
      .createClient()
      .get('/api/user')
      .set({ Authorization: `Bearer ${token}`, 'X-Forwarded-For': OTHER_NETWORK });
    await post('/api/login', OTHER_NETWORK, { email: ada.email, password: PASSWORD }).expect(200);
    payloads.push(...enqueue.mock.calls.map(([, job, payload]) => `${job.name} ${JSON.stringify(payload)}`));
    for (const name of [
      'send-password-reset',
      'send-sign-in-email',
      'send-verification-code',
      'notify-security-event',
    ]) {
      expect(payloads.join('\n')).toContain(`auth.${name}`);
    }
    expect(payloads.join('\n')).toContain('token-network');
    expect(payloads.join('\n')).not.toContain(OTHER_NETWORK);
  });
});
