import { registerUser, uniqueName, type Actor } from '../../support/people/actors.js';
import { waitForVerificationLink } from '../../support/people/restricted-user.js';
import { World } from '../../support/world.js';
import {
  requestJoinByLink,
  joinByLink,
  readLink,
  createLink,
  countMembers,
  createPrivateZone,
  type PrivateZone,
} from './link-helpers.js';

let world: World;
let at: PrivateZone;
beforeAll(async () => {
  world = await World.open();
});
beforeEach(async () => {
  at = await createPrivateZone(world);
});
afterAll(() => world.close());

const path = () => `/api/zones/${at.zone.id}/temporary-links`;
const inHours = (hours: number) => new Date(world.now() + hours * 3_600_000).toISOString();

describe('POST /api/zones/:id/temporary-links', () => {
  it('returns the link with its URL, and the list contains it', async () => {
    const fields = { name: '  Course  ', expiresInHours: 0.0167, maxUses: 3, membershipDays: 30, password: 'tulips' };
    const before = world.now();
    const { body } = await at.owner.client.post(path()).send(fields).expect(201);
    expect(body).toMatchObject({
      zoneId: at.zone.id,
      name: 'Course',
      maxUses: 3,
      currentUses: 0,
      isActive: true,
      isExpired: false,
      hasReachedMaxUses: false,
      state: 'active',
      hasPassword: true,
      membershipDays: 30,
      createdById: at.owner.id,
    });
    expect(body.url).toMatch(new RegExp(`/zone/temp/${body.token}$`));
    expect(JSON.stringify(body)).not.toMatch(/argon2|tulip/);
    expect(Math.abs(new Date(body.expiresAt).getTime() - before - 60_000)).toBeLessThan(10_000);
    expect((await at.owner.client.get(path()).expect(200)).body).toEqual([body]);
  });

  it('accepts a date with an offset and unlimited uses', async () => {
    const link = await createLink(at, { expiresAt: '2030-01-02T03:04:00+03:00', maxUses: null });
    expect(link).toMatchObject({ expiresAt: '2030-01-02T00:04:00.000Z', maxUses: null, membershipDays: null });
  });

  it.each([
    ['no name', { expiresInHours: 1 }, 'name', 'Please enter a name for the link'],
    ['a name of spaces', { name: ' ', expiresInHours: 1 }, 'name', 'Please enter a name for the link'],
    ['no end', { name: 'x' }, 'expiresAt', 'Invalid date/time selected. Please check your inputs.'],
    [
      'two end dates',
      { name: 'x', expiresInHours: 1, expiresAt: '2030-01-01T00:00:00Z' },
      'expiresInHours',
      'Invalid date',
    ],
    [
      'an end in the past',
      { name: 'x', expiresAt: '2020-01-01T00:00:00Z' },
      'expiresAt',
      'Invalid date/time selected.',
    ],
    ['an invalid date', { name: 'x', expiresAt: '2030-02-30T00:00:00Z' }, 'expiresAt', 'Invalid date/time selected.'],
    ['no offset', { name: 'x', expiresAt: '2030-01-01T00:00:00' }, 'expiresAt', 'Invalid date/time selected.'],
    [
      'an end too far in the future',
      { name: 'x', expiresAt: '9999-01-01T00:00:00Z' },
      'expiresAt',
      'Invalid date/time selected.',
    ],
    ['no time at all', { name: 'x', expiresInHours: 0 }, 'expiresInHours', 'Invalid date/time selected.'],
    ['a duration in words', { name: 'x', expiresInHours: 'two' }, 'expiresInHours', 'Invalid date/time selected.'],
    ['zero uses', { name: 'x', expiresInHours: 1, maxUses: 0 }, 'maxUses', 'The number of uses'],
    ['a fractional number of uses', { name: 'x', expiresInHours: 1, maxUses: 1.5 }, 'maxUses', 'The number of uses'],
    ['a short password', { name: 'x', expiresInHours: 1, password: 'abc' }, 'password', 'The password must have'],
    [
      'zero membership days',
      { name: 'x', expiresInHours: 1, membershipDays: 0 },
      'membershipDays',
      'The length of membership',
    ],
    ['the use counter', { name: 'x', expiresInHours: 1, currentUses: 5 }, 'currentUses', 'Unknown field.'],
  ])('rejects %s', async (_case, body, field, sentence) => {
    const response = await at.owner.client.post(path()).send(body).expect(400);
    expect(response.body.code).toBe('VALIDATION_FAILED');
    expect(response.body.errors[field]?.[0]).toContain(sentence);
    expect((await at.owner.client.get(path())).body).toEqual([]);
  });

  it('rejects public zones', async () => {
    await at.owner.client.patch(`/api/zones/${at.zone.id}`).send({ type: 'public' }).expect(200);
    const response = await at.owner.client.post(path()).send({ name: 'x', expiresInHours: 1 }).expect(409);
    expect(response.body.code).toBe('ZONE_IS_PUBLIC');
    expect((await at.owner.client.get(path())).body).toEqual([]);
  });
});

describe('PATCH /api/temporary-links/:id', () => {
  const change = (id: number, body: object) => at.owner.client.patch(`/api/temporary-links/${id}`).send(body);

  it('changes only the fields sent', async () => {
    const link = await createLink(at, { maxUses: 5, password: 'tulips', membershipDays: 7 });
    const first = await change(link.id, { name: 'Autumn', maxUses: null }).expect(200);
    expect(first.body).toMatchObject({ name: 'Autumn', maxUses: null, hasPassword: true, membershipDays: 7 });
    const end = inHours(5);
    const second = await change(link.id, { expiresAt: end, password: null, membershipDays: null }).expect(200);
    expect(second.body).toMatchObject({ name: 'Autumn', expiresAt: end, hasPassword: false, membershipDays: null });
    const same = await change(link.id, {}).expect(200);
    expect(same.body).toMatchObject({ name: 'Autumn', expiresAt: end });
  });

  it('pauses and resumes the link', async () => {
    const link = await createLink(at);
    const paused = await change(link.id, { isActive: false }).expect(200);
    expect(paused.body).toMatchObject({ isActive: false, state: 'inactive' });
    const response = await world.createClient().get(`/api/temporary-links/${link.token}`).expect(404);
    expect(response.body.code).toBe('LINK_NOT_FOUND');
    expect((await joinByLink(world.createClient(), link, 'a@b.co')).body.code).toBe('LINK_NOT_FOUND');
    expect((await change(link.id, { isActive: true }).expect(200)).body.state).toBe('active');
    await world.createClient().get(`/api/temporary-links/${link.token}`).expect(200);
  });

  it('rejects a maximum below the current uses', async () => {
    const link = await createLink(at, { maxUses: 5 });
    for (const actor of [await registerUser(world), await registerUser(world)]) {
      await joinByLink(actor.client, link, actor.email).expect(200);
    }
    const response = await change(link.id, { maxUses: 1 }).expect(400);
    expect(response.body.errors.maxUses).toEqual(['This link has already been used 2 times.']);
    const full = await change(link.id, { maxUses: 2 }).expect(200);
    expect(full.body).toMatchObject({ currentUses: 2, hasReachedMaxUses: true, state: 'max_uses' });
  });

  it.each([{ name: '' }, { name: null }, { isActive: 'no' }, { expiresAt: null }, { token: 'mine' }])(
    'rejects %j',
    async (body) => {
      const link = await createLink(at);
      await change(link.id, body).expect(400);
      expect(await readLink(at, link.id)).toEqual(link);
    },
  );

  it('keeps the members when the link is deleted', async () => {
    const link = await createLink(at);
    const member = await registerUser(world);
    await joinByLink(member.client, link, member.email).expect(200);
    await at.owner.client.delete(`/api/temporary-links/${link.id}`).expect(204);
    const secondDeletion = await at.owner.client.delete(`/api/temporary-links/${link.id}`).expect(404);
    expect(secondDeletion.body).toMatchObject({
      code: 'TEMPORARY_LINK_NOT_FOUND',
      message: 'This temporary link no longer exists.',
    });
    await world.createClient().get(`/api/temporary-links/${link.token}`).expect(404);
    expect(await countMembers(at)).toBe(1);
  });
});

describe('Zone type changes', () => {
  const setType = (type: string) => at.owner.client.patch(`/api/zones/${at.zone.id}`).send({ type }).expect(200);

  it('end temporary links when made public, even after it is private again', async () => {
    const link = await createLink(at);
    await setType('public');
    expect((await joinByLink(world.createClient(), link, 'a@b.co')).body.code).toBe('LINK_NOT_FOUND');
    expect(await readLink(at, link.id)).toMatchObject({ isActive: false, isExpired: true, state: 'expired' });
    const resumed = await at.owner.client.patch(`/api/temporary-links/${link.id}`).send({ isActive: true }).expect(409);
    expect(resumed.body.code).toBe('ZONE_IS_PUBLIC');
    await setType('private');
    expect((await joinByLink(world.createClient(), link, 'a@b.co')).status).toBe(404);
  });

  it('leave no pending requests when made private: temporary links admit at once', async () => {
    await at.owner.client.patch(`/api/zones/${at.zone.id}`).send({ type: 'public', autoJoin: false }).expect(200);
    await setType('private');
    const link = await createLink(at);
    const { body: info } = await world.createClient().get(`/api/temporary-links/${link.token}`).expect(200);
    expect(info.autoJoin).toBe(true);
    const email = `${uniqueName('in')}@example.com`;
    await joinByLink(world.createClient(), link, email).expect(200);
    const { body } = await world
      .createClient()
      .post('/api/verify-email')
      .send(await waitForVerificationLink(world, email));
    expect(body).toMatchObject({ requiresApproval: false, redirectUrl: `/zones/${at.zone.id}` });
    expect(body.message).toBe("Your email address is verified, and you've joined the zone.");
    expect(await countMembers(at)).toBe(1);
  });

  it('end the public link when made private, including pending joins', async () => {
    await setType('public');
    const publicLink = (await at.owner.client.get(`/api/zones/${at.zone.id}`)).body.publicLink as string;
    const email = `${uniqueName('late')}@example.com`;
    const client = world.createClient();
    await client.post(`/api/public-zones/${publicLink}/join`).send({ email, emailConsent: true }).expect(200);
    await setType('private');
    const response = await client.post('/api/verify-email').send(await waitForVerificationLink(world, email));
    expect([response.status, response.body.code]).toEqual([404, 'LINK_NOT_FOUND']);
    expect(await countMembers(at)).toBe(0);
  });
});

describe('POST /api/zones/:id/public-link/regenerate', () => {
  const regenerateLink = (actor: Actor) => actor.client.post(`/api/zones/${at.zone.id}/public-link/regenerate`);

  it('replaces the previous link, even for pending joins', async () => {
    await at.owner.client.patch(`/api/zones/${at.zone.id}`).send({ type: 'public' }).expect(200);
    const old = (await at.owner.client.get(`/api/zones/${at.zone.id}`)).body.publicLink as string;
    const email = `${uniqueName('leaked')}@example.com`;
    await world.createClient().post(`/api/public-zones/${old}/join`).send({ email, emailConsent: true }).expect(200);
    const { body } = await regenerateLink(at.owner).expect(200);
    expect(body).toMatchObject({ id: at.zone.id, type: 'public', publicLink: expect.stringMatching(/^[\w-]{22}$/) });
    expect(body.publicLink).not.toBe(old);
    await world.createClient().get(`/api/public-zones/${old}`).expect(404);
    await world.createClient().get(`/api/public-zones/${body.publicLink}`).expect(200);
    await world
      .createClient()
      .post('/api/verify-email')
      .send(await waitForVerificationLink(world, email))
      .expect(404);
  });

  it('returns 409 for a private zone', async () => {
    expect((await regenerateLink(at.owner).expect(409)).body.code).toBe('ZONE_IS_PRIVATE');
  });
});

describe('Access to temporary links', () => {
  it('is restricted to the owner: 404 for non-members, 403 for members and zone admins', async () => {
    const link = await createLink(at);
    const [outsider, member, admin] = [await registerUser(world), await registerUser(world), await registerUser(world)];
    for (const actor of [member, admin]) await joinByLink(actor.client, link, actor.email).expect(200);
    await at.owner.client.patch(`/api/zones/${at.zone.id}/members/${admin.id}`).send({ role: 'admin' }).expect(200);
    const calls = (client: Actor['client']) => [
      client.get(path()),
      client.get(`${path()}/analytics`),
      client.post(path()).send({ name: 'x', expiresInHours: 1 }),
      client.patch(`/api/temporary-links/${link.id}`).send({ name: 'Mine' }),
      client.delete(`/api/temporary-links/${link.id}`),
      client.get(`/api/temporary-links/${link.id}/usages.csv`),
      client.get(`/api/zones/${at.zone.id}/public-link/analytics`),
      client.get(`/api/zones/${at.zone.id}/public-link/usages.csv`),
      client.get(`/api/zones/${at.zone.id}/link-funnel`),
      client.post(`/api/zones/${at.zone.id}/public-link/regenerate`),
    ];
    const callAll = async (client: Actor['client']) => (await Promise.all(calls(client))).map(({ status }) => status);
    expect(await callAll(outsider.client)).toEqual(Array(10).fill(404));
    const [theirs, nobodys] = [link.id, 999_999].map((id) =>
      outsider.client.patch(`/api/temporary-links/${id}`).send({}),
    );
    expect((await theirs!).body).toEqual({ ...(await nobodys!).body, requestId: expect.any(String) });
    expect((await theirs!).body.code).toBe('TEMPORARY_LINK_NOT_FOUND');
    expect(await callAll(member.client)).toEqual(Array(10).fill(403));
    expect(await callAll(admin.client)).toEqual(Array(10).fill(403));
    expect(await callAll(world.createClient())).toEqual(Array(10).fill(401));
    expect(await readLink(at, link.id)).toMatchObject({ currentUses: 2, isActive: true });
  });
});

describe('GET /api/temporary-links/:token', () => {
  it('shows the zone and the remaining uses', async () => {
    const link = await createLink(at, { maxUses: 4, membershipDays: 10 });
    const { body } = await world.createClient().get(`/api/temporary-links/${link.token}`).expect(200);
    expect(body).toEqual({
      zoneName: at.zone.name,
      zoneDescription: '',
      expiresAt: expect.any(String),
      remainingUses: 4,
      fileCount: 0,
      memberCount: 0,
      firstFiles: [],
      moreFiles: 0,
      owner: { firstName: 'Grace', lastName: 'Test' },
      autoJoin: true,
      requiresEmailOptin: true,
      requiresPassword: false,
      membershipDays: 10,
      consentText: expect.stringContaining('I agree'),
    });
  });

  it('hides the description and counts behind a password', async () => {
    const link = await createLink(at, { password: 'tulips' });
    const { body } = await world.createClient().get(`/api/temporary-links/${link.token}`).expect(200);
    expect(body).toMatchObject({ requiresPassword: true, zoneDescription: null, fileCount: null, memberCount: null });
    expect(body).toMatchObject({ remainingUses: null });
  });

  it('admits a new user by email for as long as the link says', async () => {
    const link = await createLink(at, { membershipDays: 3 });
    const email = `${uniqueName('member')}@example.com`;
    const emailed = await requestJoinByLink(world, link, email);
    const client = world.createClient();
    const look = await client.get('/api/verify-email').query(emailed).expect(200);
    expect(look.body).toMatchObject({ email, zoneName: at.zone.name });
    expect(await readLink(at, link.id)).toMatchObject({ currentUses: 0 });
    await client.post('/api/verify-email').send(emailed).expect(200);
    expect(await readLink(at, link.id)).toMatchObject({ currentUses: 1 });
    expect(await countMembers(at)).toBe(1);
  });
});
