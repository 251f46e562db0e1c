import {
  createZone,
  joinPublicZone,
  PASSWORD,
  registerUser,
  uniqueName,
  type Actor,
  type TestZone,
} from '../../support/people/actors.js';
import { World } from '../../support/world.js';

/** Measured requests of each kind. */
const REQUESTS = 50;
/**
 * Largest accepted ratio of the response times. Without the defences the slower kind takes several times as long, or as
 * long as sending an email.
 */
const RATIO = 1.5;
/** A busy machine may spoil single measurements; a real difference shows in all of them. */
const MEASUREMENTS = 5;

let world: World;
let known: Actor;
let owner: Actor;
let zone: TestZone;
beforeAll(async () => {
  world = await World.open();
  world.usePasswordHashCostOfProduction();
  [known, owner] = [await registerUser(world), await registerUser(world)];
  zone = await createZone(owner);
});
afterAll(() => world.close());

const unknownEmail = () => `${uniqueName('unknown')}@example.com`;
type Send = (email: string) => PromiseLike<{ status: number; body: Record<string, unknown> }>;

const median = (times: number[]) => times.sort((a, b) => a - b)[Math.floor(times.length / 2)]!;

async function measure(send: Send, email: string): Promise<number> {
  const start = performance.now();
  await send(email);
  return performance.now() - start;
}

/**
 * Ratio of the median response times of both kinds, with alternating requests.
 * @param other returns the address without an account
 */
async function ratioOf(send: Send, email: string, other: () => string): Promise<number> {
  const times: [number[], number[]] = [[], []];
  for (let count = 0; count < REQUESTS; count++) {
    times[0].push(await measure(send, email));
    times[1].push(await measure(send, other()));
  }
  const [ours, theirs] = times.map(median) as [number, number];
  return Math.max(ours, theirs) / Math.min(ours, theirs);
}

/** A response without its random values; whether they are present is still compared. */
const comparable = (body: Record<string, unknown>) => ({ ...body, requestId: '', handle: typeof body.handle });

async function expectNoDifference(send: Send, email: string, other: () => string = unknownEmail): Promise<void> {
  const [ours, theirs] = [await send(email), await send(unknownEmail())];
  expect([ours.status, comparable(ours.body)]).toEqual([theirs.status, comparable(theirs.body)]);
  const ratios: number[] = [];
  while (ratios.length < MEASUREMENTS && !ratios.some((ratio) => ratio < RATIO))
    ratios.push(await ratioOf(send, email, other));
  expect(Math.min(...ratios)).toBeLessThan(RATIO);
}

const post = (path: string, body: (email: string) => object): Send => {
  const client = world.createClient();
  return (email) => client.post(path).send(body(email));
};

describe('Response to known and unknown addresses', () => {
  it('is the same, in time too, on sign-in with a wrong password', async () => {
    await expectNoDifference(
      post('/api/login', (email) => ({ email, password: 'not the one' })),
      known.email,
    );
  });

  it('is the same, in time too, on a password reset request', async () => {
    await expectNoDifference(
      post('/api/forgot-password', (email) => ({ email })),
      known.email,
    );
  });

  it('is the same, in time too, on a request for a sign-in email', async () => {
    await expectNoDifference(
      post('/api/sign-in-mails', (email) => ({ email })),
      known.email,
    );
  });

  it('is the same, in time too, on a request for a verification code', async () => {
    await expectNoDifference(
      post('/api/send-verification', (email) => ({ email })),
      known.email,
    );
  });

  it('is the same, in time too, on registration with a wrong code', async () => {
    const form = { password: PASSWORD, firstName: 'Eve', lastName: 'Stranger', verificationCode: '000000' };
    await expectNoDifference(
      post('/api/register', (email) => ({ ...form, email, username: uniqueName('eve') })),
      known.email,
    );
  });

  it('is the same, in time too, on joining a zone, even for its members', async () => {
    const member = await registerUser(world);
    await joinPublicZone(zone, member);
    for (const { email } of [known, member, owner]) {
      // The same address is used each time: after three emails a day it gets no more, with or without an account.
      const other = unknownEmail();
      await expectNoDifference(
        post(`/api/public-zones/${zone.publicLink}/join`, (address) => ({ email: address, emailConsent: true })),
        email,
        () => other,
      );
    }
  });
});
