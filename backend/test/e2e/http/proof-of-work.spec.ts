import { createChallenge, solveChallenge, type Challenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import supertest from 'supertest';
import { keyedDigest } from '../../../src/platform/security/secrets.js';
import { createZone, registerUser, uniqueName, type TestZone } from '../../support/people/actors.js';
import { describeInProcess, World } from '../../support/world.js';
import { encodeProofHeader, solveProofOfWork } from '../../support/proof-of-work.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
let last = 0;
/** Returns a network that has sent no request yet. */
const network = () => `203.0.${(last += 1) >> 8}.${last & 255}`;
const address = () => `${uniqueName('visitor')}@example.com`;

describeInProcess('Proof of work for a network that requests many emails', () => {
  let world: World;
  let zone: TestZone;
  let requestByPurpose: Record<string, (from: string, headers?: object) => supertest.Test>;
  beforeAll(async () => {
    world = await World.open({ RATE_LIMIT: 'on', TRUST_PROXY: 'loopback' });
    const owner = await registerUser(world);
    zone = await createZone(owner);
    const post =
      (path: string, body: () => object) =>
      (from: string, headers: object = {}) =>
        supertest(world.url)
          .post(path)
          .set({ 'X-Forwarded-For': from, Origin: world.url, ...headers })
          .send(body());
    requestByPurpose = {
      join: post(`/api/public-zones/${zone.publicLink}/join`, () => ({ email: address(), emailConsent: true })),
      'forgot-password': post('/api/forgot-password', () => ({ email: address() })),
      'send-verification': post('/api/send-verification', () => ({ email: address() })),
      'sign-in-mail': post('/api/sign-in-mails', () => ({ email: address() })),
    };
  });
  afterAll(() => world.close());

  /** Uses up the free attempts and returns the challenge that follows. */
  async function exhaustFreeRequests(purpose: string, from: string): Promise<Challenge> {
    for (let count = 0; count < 10; count++) await requestByPurpose[purpose]!(from).expect(200);
    const { body } = await requestByPurpose[purpose]!(from).expect(428);
    expect(body).toMatchObject({ code: 'WORK_REQUIRED', challenge: { parameters: { data: { purpose: purpose } } } });
    return body.challenge as Challenge;
  }

  it.each(['join', 'forgot-password', 'send-verification', 'sign-in-mail'])(
    'is required from the 11th %s in an hour',
    async (purpose) => {
      const from = network();
      const task = await exhaustFreeRequests(purpose, from);
      const work = await solveProofOfWork(task);
      await requestByPurpose[purpose]!(from, work).expect(200);
      // A solution works once; the next challenge is a new one.
      const next = await requestByPurpose[purpose]!(from, work).expect(428);
      expect(next.body.challenge.parameters.nonce).not.toBe(task.parameters.nonce);
      await requestByPurpose[purpose]!(network()).expect(200);
      world.testApp.clock.advance(HOUR + 1);
      await requestByPurpose[purpose]!(from).expect(200);
    },
  );

  it('is accepted once, even when concurrent', async () => {
    const from = network();
    const work = await solveProofOfWork(await exhaustFreeRequests('join', from));
    const responses = await Promise.all(Array.from({ length: 8 }, () => requestByPurpose.join!(from, work)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(7).fill(428)]);
  });

  it('is rejected for another purpose, when expired, forged or changed', async () => {
    const from = network();
    const task = await exhaustFreeRequests('join', from);
    await exhaustFreeRequests('forgot-password', from);
    const work = await solveProofOfWork(task);
    await requestByPurpose['forgot-password']!(from, work).expect(428);
    const solution = await solveChallenge({ challenge: task, deriveKey });
    const { parameters } = task;
    const easier = { ...task, parameters: { ...parameters, cost: 1, keyPrefix: '00' } };
    const solvedEasier = await solveChallenge({ challenge: easier, deriveKey });
    const odd: unknown[] = [
      { challenge: easier, solution: solvedEasier },
      { challenge: { ...task, parameters: { ...parameters, expiresAt: parameters.expiresAt! + 3600 } }, solution },
      { challenge: task, solution: { counter: 0, derivedKey: `${parameters.keyPrefix}${'0'.repeat(32)}` } },
      { challenge: task, solution: { counter: 'x', derivedKey: 7 } },
      { challenge: task, solution: null },
      { challenge: { parameters }, solution },
      { challenge: { ...task, signature: '' }, solution },
      ...[null, [], 7, 'x', {}, { challenge: [], solution: [] }],
    ];
    const headers = [
      ...odd.map(encodeProofHeader),
      'x',
      '%%%',
      'A'.repeat(8000),
      encodeProofHeader(odd[0]).slice(0, 40),
    ];
    for (const header of headers) {
      expect([header.slice(0, 20), (await requestByPurpose.join!(from, { 'X-Work-Proof': header })).status]).toEqual([
        header.slice(0, 20),
        428,
      ]);
    }
    world.testApp.clock.advance(5 * MINUTE + 1000);
    await requestByPurpose.join!(from, work).expect(428);
  });

  it('is rejected with a lifetime longer than the server grants', async () => {
    const from = network();
    await exhaustFreeRequests('join', from);
    const { config, clock } = world.testApp;
    const key = config.keys.forPurpose('join-proof').newest;
    /** A challenge that an attacker with the key would forge. */
    const forgeProof = async (lifetime: number) =>
      solveProofOfWork(
        await createChallenge({
          algorithm: 'PBKDF2/SHA-256',
          cost: 1,
          counter: 1,
          deriveKey,
          data: { purpose: 'join' },
          expiresAt: new Date(clock.now().getTime() + lifetime),
          hmacSignatureSecret: key.toString('hex'),
          hmacKeySignatureSecret: keyedDigest(key, 'solution'),
        }),
      );
    for (const lifetime of [6 * MINUTE, 24 * HOUR, 400 * 24 * HOUR, 100_000 * HOUR]) {
      await requestByPurpose.join!(from, await forgeProof(lifetime)).expect(428);
    }
    await requestByPurpose.join!(from, await forgeProof(4 * MINUTE)).expect(200);
  });

  it('does not replace the rate limits', async () => {
    const from = network();
    await exhaustFreeRequests('send-verification', from);
    const email = address();
    const submit = async () => {
      const send = (headers: object) =>
        supertest(world.url)
          .post('/api/send-verification')
          .set({ 'X-Forwarded-For': from, Origin: world.url, ...headers })
          .send({ email });
      const { body } = await send({}).expect(428);
      return (await send(await solveProofOfWork(body.challenge))).status;
    };
    const statuses: number[] = [];
    for (let count = 0; count < 6; count++) statuses.push(await submit());
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  });

  it('is rejected with a readable message for clients without a browser', async () => {
    const from = network();
    await exhaustFreeRequests('join', from);
    const { body } = await requestByPurpose.join!(from, { 'Accept-Language': 'tr' }).expect(428);
    expect(body.message).toBe(
      'Ağınızdan son bir saat içinde çok fazla istek geldi. Lütfen daha sonra yeniden deneyin.',
    );
  });
});
