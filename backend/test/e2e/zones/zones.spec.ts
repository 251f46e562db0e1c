import { createZone, joinPublicZone, registerUser, uniqueName, type Actor } from '../../support/people/actors.js';
import { describeInProcess, World } from '../../support/world.js';

let world: World;
beforeAll(async () => {
  world = await World.open();
});
afterAll(() => world.close());

describe('Zones', () => {
  it('are created, listed and opened by their owner when private', async () => {
    const owner = await registerUser(world);
    const { body } = await owner.client
      .post('/api/zones')
      .send({ name: '  Çalışma ışığı 🚀 ', description: 'For readers', type: 'private' })
      .expect(201);
    expect(body).toMatchObject({
      name: 'Çalışma ışığı 🚀',
      description: 'For readers',
      type: 'private',
      isPrivate: true,
      isOwner: true,
      publicLink: null,
      fileCount: 0,
      folderCount: 0,
      memberCount: 0,
      memberRole: 'owner',
      can: { manageFiles: true, leave: false },
    });
    const list = await owner.client.get('/api/zones').expect(200);
    expect(list.headers['x-total-count']).toBe('1');
    expect(list.body).toEqual([body]);
    const response = await owner.client.get(`/api/zones/${body.id}`).expect(200);
    expect(response.body).toEqual(body);
  });

  it('have a link and options when public', async () => {
    const owner = await registerUser(world);
    const { body } = await owner.client
      .post('/api/zones')
      .send({ name: 'Open', type: 'public', autoJoin: false, requiresEmailOptin: false })
      .expect(201);
    expect(body.publicLink).toMatch(/^[\w-]{20,}$/);
    expect(body).toMatchObject({ autoJoin: false, requiresEmailOptin: false });
  });

  it.each([
    [{ name: '', type: 'private' }, 'name', 'Zone name is required'],
    [{ name: '   ', type: 'private' }, 'name', 'Zone name is required'],
    [{ name: 'x'.repeat(256), type: 'private' }, 'name', 'Zone name is too long'],
    [{ name: 'x', type: 'secret' }, 'type', 'Type must be private or public'],
    [{ name: 'x' }, 'type', 'Type must be private or public'],
    [{ name: 'x', type: 'public', autoJoin: 'yes' }, 'autoJoin', 'This must be true or false'],
    [{ name: 'x', type: 'public', ownerId: 1 }, 'ownerId', 'Unknown field.'],
    [{ name: 'a\0b', type: 'private' }, 'name', "This text contains a character that can't be stored."],
    [{ name: '\ud800', type: 'private' }, 'name', "This text contains a character that can't be stored."],
  ])('cannot be created with %j', async (body, field, sentence) => {
    const owner = await registerUser(world);
    const response = await owner.client.post('/api/zones').send(body).expect(400);
    expect(response.body).toMatchObject({ code: 'VALIDATION_FAILED', errors: { [field]: [sentence] } });
    expect((await owner.client.get('/api/zones')).body).toEqual([]);
  });

  it('are limited to one on the free plan, even with 50 concurrent requests', async () => {
    const owner = await registerUser(world);
    const responses = await Promise.all(
      Array.from({ length: 50 }, () =>
        owner.client.post('/api/zones').send({ name: uniqueName('z'), type: 'private' }),
      ),
    );
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
    const rejected = responses.filter(({ status }) => status === 403);
    expect(rejected).toHaveLength(49);
    expect(rejected[0]!.body).toMatchObject({
      code: 'PLAN_LIMIT',
      planLimit: true,
      limit: 'zones',
      used: 1,
      allowed: 1,
      message: "You have reached your plan's zone limit. Upgrade to create more zones.",
    });
    expect((await owner.client.get('/api/zones')).body).toHaveLength(1);
  });

  it('are listed as shared for members, without owner-only data', async () => {
    const owner = await registerUser(world);
    const member = await registerUser(world);
    const zone = await createZone(owner);
    await joinPublicZone(zone, member);
    const shared = await member.client.get('/api/shared-zones').expect(200);
    expect(shared.body).toHaveLength(1);
    expect(shared.body[0]).toMatchObject({
      id: zone.id,
      memberRole: 'member',
      memberExpiresAt: null,
      publicLink: null,
    });
    expect(shared.body[0].can).toMatchObject({ read: true, manageFiles: false, seeMembers: false, leave: true });
    expect((await member.client.get('/api/zones')).body).toEqual([]);
    expect((await owner.client.get(`/api/zones/${zone.id}`)).body.memberCount).toBe(1);
  });

  it('return the same 404 for foreign and missing IDs', async () => {
    const owner = await registerUser(world);
    const outsider = await registerUser(world);
    const { id } = await createZone(owner, { type: 'private' });
    const there = await outsider.client.get(`/api/zones/${id}`).expect(404);
    const missing = await outsider.client.get('/api/zones/999999999').expect(404);
    expect({ ...there.body, requestId: '' }).toEqual({ ...missing.body, requestId: '' });
    for (const wrong of ['abc', '-1', '0', '1.5', '99999999999999999999']) {
      await outsider.client.get(`/api/zones/${wrong}`).expect(404);
    }
    await world.createClient().get(`/api/zones/${id}`).expect(401);
  });
});

describeInProcess('Zone list', () => {
  it('is paginated by limit and cursor without gaps or repeats', async () => {
    const owner = await registerUser(world);
    await world.testApp.em().execute(`update users set plan = 'creator' where id = ?`, [owner.id]);
    for (let count = 0; count < 5; count++) await createZone(owner, { name: `Z${count}` });
    const names: string[] = [];
    let next: string | undefined = '/api/zones?limit=2';
    while (next) {
      const page: Awaited<ReturnType<Actor['client']['get']>> = await owner.client.get(next).expect(200);
      expect(page.headers['x-total-count']).toBe('5');
      names.push(...page.body.map(({ name }: { name: string }) => name));
      next = /<(.+)>; rel="next"/.exec(page.headers.link ?? '')?.[1];
    }
    expect(names).toEqual(['Z4', 'Z3', 'Z2', 'Z1', 'Z0']);
    await owner.client.get('/api/zones?cursor=nonsense').expect(400);
    await owner.client.get('/api/zones?limit=1001').expect(400);
  });
});
