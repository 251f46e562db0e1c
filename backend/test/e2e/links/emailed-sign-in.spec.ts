import type { Test } from 'supertest';
import { PrerenderRegistry } from '../../../src/platform/http/page/prerender-registry.js';
import { createZone, registerUser, uniqueName, type Actor, type TestZone } from '../../support/people/actors.js';
import { inviteNewAddress } from '../../support/people/invitations.js';
import { joinAsRestrictedUser, waitForVerificationLink } from '../../support/people/restricted-user.js';
import { describeInProcess, World, type Client } from '../../support/world.js';
import { joinByLink, createLink } from './link-helpers.js';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const CROWD = 20;

let world: World;
let owner: Actor;
beforeAll(async () => {
  world = await World.open();
});
beforeEach(async () => {
  owner = await registerUser(world);
});
afterAll(() => world.close());

/** An email that grants access, and the browser in which it was requested. */
interface Key {
  readonly email: string;
  readonly zone: TestZone;
  readonly requester: Client;
  readonly use: (client: Client) => Test;
  /** Requests that email scanners make, without and with running the page's scripts. */
  readonly looks: readonly ((client: Client) => Test)[];
}

const address = () => `${uniqueName('way')}@example.com`;
const query = (values: object) => new URLSearchParams(values as Record<string, string>).toString();
const reads = (path: string) => [(client: Client) => client.get(path), (client: Client) => client.head(path)];
const waitForText = async (email: string, page: string) =>
  (await world.waitForEmail(email, ({ text }) => text.includes(page))).text;
const codeIn = (text: string) => /^\d{6}$/m.exec(text)![0];

async function requestJoin(method: 'link' | 'code', isTemporary = false): Promise<Key> {
  const [requester, email] = [world.createClient(), address()];
  const zone = await createZone(owner, { type: isTemporary ? 'private' : 'public' });
  const request = isTemporary
    ? joinByLink(requester, await createLink({ owner, zone }), email)
    : requester.post(`/api/public-zones/${zone.publicLink}/join`).send({ email, emailConsent: true });
  const { handle } = (await request.expect(200)).body as { handle: string };
  const link = await waitForVerificationLink(world, email);
  const code = codeIn(await waitForText(email, '/verify-email?'));
  const use = (client: Client) =>
    method === 'link'
      ? client.post('/api/verify-email').send(link)
      : client.post('/api/join-codes').send({ handle, code });
  return { email, zone, requester, use, looks: reads(`/api/verify-email?${query(link)}`) };
}

async function requestSignIn(method: 'link' | 'code'): Promise<Key> {
  const [requester, email] = [world.createClient(), address()];
  const zone = await createZone(owner);
  await joinAsRestrictedUser(world, zone, email);
  await requester.post('/api/sign-in-mails').send({ email }).expect(200);
  const text = await waitForText(email, '/sign-in?');
  const token = /\/sign-in\?token=([\w-]+)/.exec(text)![1]!;
  const code = codeIn(text);
  const use = (client: Client) =>
    method === 'link'
      ? client.post('/api/sign-in-links').send({ token })
      : client.post('/api/sign-in-codes').send({ email, code });
  const check = (client: Client) => client.post('/api/sign-in-links/check').send({ token });
  return { email, zone, requester, use, looks: [...reads(`/api/sign-in-links?${query({ token })}`), check] };
}

async function invitation(): Promise<Key> {
  const zone = await createZone(owner, { type: 'private' });
  const { email, token } = await inviteNewAddress(world, zone, owner);
  const use = (client: Client) => client.post('/api/accept-invite').send({ token, email, emailConsent: true });
  await world.testApp.app.get(PrerenderRegistry).checkStatus(`/invite/${token}`, '203.0.113.9');
  return { email, zone, requester: world.createClient(), use, looks: reads(`/api/invite/${token}`) };
}

const readSignedInUser = async (client: Client): Promise<string | null> =>
  (await client.get('/api/session').expect(200)).body.user?.email ?? null;
const count = async (sql: string, values: unknown[]) =>
  Number((await world.testApp.em().execute<{ n: string }[]>(`select count(*) as n from ${sql}`, values))[0]!.n);
const membershipsOf = (zone: TestZone, email: string) =>
  count('zone_members where zone_id = ? and email = ?', [zone.id, email]);

describeInProcess.each<[string, () => Promise<Key>, { lifetime: number; changesBrowser: boolean }]>([
  ['the emailed link of a public zone', () => requestJoin('link'), { lifetime: DAY, changesBrowser: true }],
  ['the emailed code of a public zone', () => requestJoin('code'), { lifetime: 10 * MINUTE, changesBrowser: true }],
  ['the emailed link of a temporary link', () => requestJoin('link', true), { lifetime: DAY, changesBrowser: true }],
  [
    'the emailed code of a temporary link',
    () => requestJoin('code', true),
    { lifetime: 10 * MINUTE, changesBrowser: true },
  ],
  ['the link of an invitation', invitation, { lifetime: 7 * DAY, changesBrowser: false }],
  ['the sign-in link', () => requestSignIn('link'), { lifetime: 10 * MINUTE, changesBrowser: true }],
  ['the sign-in code', () => requestSignIn('code'), { lifetime: 10 * MINUTE, changesBrowser: true }],
])('%s', (_, prepare, { lifetime, changesBrowser }) => {
  it('signs in its user once, in any browser, and neither the requesting window nor later users', async () => {
    const { email, zone, requester, use } = await prepare();
    const [first, second] = [world.createClient(), world.createClient()];
    await use(first).expect(200);
    expect(await readSignedInUser(first)).toBe(email);
    await first.get(`/api/zones/${zone.id}/files`).expect(200);
    const secondUse = await use(second);
    expect(secondUse.headers['set-cookie']?.toString() ?? '').not.toMatch(/zonary_session=[^;]/);
    expect([await readSignedInUser(second), await readSignedInUser(requester)]).toEqual([null, null]);
    await first.post('/api/logout').expect(200);
    await use(first);
    expect(await readSignedInUser(first)).toBeNull();
  });

  it('adds no membership for the signed-in user of another browser', async () => {
    const { email, zone, use } = await prepare();
    const eve = await registerUser(world);
    const { status } = await use(eve.client);
    expect([status === 200, await readSignedInUser(eve.client)]).toEqual([
      changesBrowser,
      changesBrowser ? email : eve.email,
    ]);
    expect(await membershipsOf(zone, eve.email)).toBe(0);
  });

  it('opens one session, user and membership for twenty concurrent uses', async () => {
    const { email, zone, use } = await prepare();
    const clients = Array.from({ length: CROWD }, () => world.createClient());
    await Promise.all(clients.map((client) => use(client)));
    const people = await Promise.all(clients.map(readSignedInUser));
    expect(people.filter((person) => person !== null)).toEqual([email]);
    expect(await membershipsOf(zone, email)).toBe(1);
    expect(await count('users where email = ?', [email])).toBe(1);
  });

  it('is not spent by an email scanner and works for its user afterwards', async () => {
    const { email, zone, use, looks: previews } = await prepare();
    const before = await membershipsOf(zone, email);
    for (const preview of [...previews, ...previews]) {
      const scanner = world.createClient();
      expect((await preview(scanner)).headers['set-cookie']).toBeUndefined();
      expect(await readSignedInUser(scanner)).toBeNull();
    }
    expect(await membershipsOf(zone, email)).toBe(before);
    const client = world.createClient();
    await use(client).expect(200);
    expect(await readSignedInUser(client)).toBe(email);
  });

  it('is rejected after it has expired', async () => {
    const { email, zone, use } = await prepare();
    const before = await membershipsOf(zone, email);
    world.testApp.clock.advance(lifetime + 1000);
    const client = world.createClient();
    expect((await use(client)).status).toBeGreaterThanOrEqual(400);
    expect(await readSignedInUser(client)).toBeNull();
    expect(await membershipsOf(zone, email)).toBe(before);
  });
});
