import { createZone, joinPublicZone, registerUser, type Actor, type TestZone } from '../../support/people/actors.js';
import { describeInProcess, World } from '../../support/world.js';
import { runConcurrently, countStatuses } from '../auth/account-helpers.js';

const DAY = 86_400_000;

let world: World;
let owner: Actor;
let zone: TestZone;
beforeAll(async () => {
  world = await World.open();
});
beforeEach(async () => {
  owner = await registerUser(world);
  zone = await createZone(owner);
});
afterAll(() => world.close());

interface Page {
  body: { user: { firstName: string } }[];
  headers: Record<string, string>;
}

interface Member {
  userId: number;
  role: string;
  user: { email: string };
}

const path = (rest = '') => `/api/zones/${zone.id}/members${rest}`;
const list = async (rest = '') => (await owner.client.get(path(rest)).expect(200)).body as Member[];
const change = (actor: Actor, body: object) => owner.client.patch(path(`/${actor.id}`)).send(body);
const memberCount = async () => (await owner.client.get(`/api/zones/${zone.id}`).expect(200)).body.memberCount;
const inDays = (days: number) => new Date(world.now() + days * DAY).toISOString();

async function addMember(names: { firstName?: string; lastName?: string } = {}): Promise<Actor> {
  const actor = await registerUser(world, names);
  await joinPublicZone(zone, actor);
  return actor;
}

describe('Members of a zone', () => {
  it('are listed without the owner, with their details and email status', async () => {
    const ada = await addMember({ firstName: 'Ada', lastName: 'Lovelace' });
    const { body, headers } = await owner.client.get(path()).expect(200);
    expect(headers['x-total-count']).toBe('1');
    expect(body).toEqual([
      {
        id: expect.any(Number),
        zoneId: zone.id,
        userId: ada.id,
        role: 'member',
        invitedById: null,
        joinMethod: 'public_link',
        expiresAt: null,
        isExpired: false,
        isFavorite: false,
        getsMails: true,
        createdAt: expect.any(String),
        user: {
          id: ada.id,
          email: ada.email,
          firstName: 'Ada',
          lastName: 'Lovelace',
          username: ada.username,
          profileImageUrl: null,
        },
      },
    ]);
  });

  it('are sorted by Turkish name, address or join date, both ways, in pages and windows without gaps', async () => {
    const people = [];
    for (const firstName of ['Zeki', 'çiğdem', 'Cem', 'Öykü', 'Osman']) people.push(await addMember({ firstName }));
    const listInPages = async (query: string) => {
      const found: string[] = [];
      let next: string | undefined = path(`?limit=2&${query}`);
      while (next) {
        const { body, headers } = (await owner.client.get(next).expect(200)) as Page;
        expect(headers['x-total-count']).toBe('5');
        found.push(...body.map(({ user }) => user.firstName));
        next = /<(.+)>; rel="next"/.exec(headers.link ?? '')?.[1];
      }
      for (let offset = 0; offset <= 5; offset++) {
        const window = (await owner.client.get(path(`?limit=2&offset=${offset}&${query}`)).expect(200)) as Page;
        expect(window.body.map(({ user }) => user.firstName)).toEqual(found.slice(offset, offset + 2));
        expect(window.headers['x-total-count']).toBe('5');
      }
      return found;
    };
    expect(await listInPages('sort=name')).toEqual(['Cem', 'çiğdem', 'Osman', 'Öykü', 'Zeki']);
    expect(await listInPages('sort=name&order=desc')).toEqual(['Zeki', 'Öykü', 'Osman', 'çiğdem', 'Cem']);
    expect(await listInPages('')).toEqual(['Osman', 'Öykü', 'Cem', 'çiğdem', 'Zeki']);
    expect(await listInPages('sort=joined&order=asc')).toEqual(['Zeki', 'çiğdem', 'Cem', 'Öykü', 'Osman']);
    const byEmail = [...people].sort((a, b) => (a.email < b.email ? -1 : 1)).map(({ email }) => email);
    expect((await list('?sort=email')).map(({ user }) => user.email)).toEqual(byEmail);
    expect((await list('?sort=email&order=desc')).map(({ user }) => user.email)).toEqual(byEmail.reverse());
  });

  it('are counted exactly, also before the counter of the zone leaves out those who have expired', async () => {
    const people = [];
    for (const firstName of ['Ada', 'Bora', 'Can', 'Deniz', 'Ece']) people.push(await addMember({ firstName }));
    await change(people[1]!, { expiresAt: inDays(1) }).expect(200);
    world.testApp.clock.advance(2 * DAY);
    const { body, headers } = (await owner.client.get(path('?sort=name&limit=2&offset=2')).expect(200)) as Page;
    expect(body.map(({ user }) => user.firstName)).toEqual(['Deniz', 'Ece']);
    expect(headers['x-total-count']).toBe('4');
    expect((await owner.client.get(path('?limit=1')).expect(200)).headers['x-total-count']).toBe('4');
    const found = (await owner.client.get(path('?sort=name&limit=2&offset=1&q=e')).expect(200)) as Page;
    expect(found.headers['x-total-count']).toBe(String((await list('?q=e')).length));
  });

  it('are found by part of name, username or address, ignoring case and Turkish dots', async () => {
    const isil = await addMember({ firstName: 'IŞIL', lastName: '100%_sure' });
    await addMember({ firstName: 'Bora' });
    const findMembers = async (q: string) => (await list(`?q=${encodeURIComponent(q)}`)).map(({ userId }) => userId);
    expect(await findMembers('ışıl')).toEqual([isil.id]);
    expect(await findMembers('işil 100%_')).toEqual([isil.id]);
    expect(await findMembers('isil')).toEqual([isil.id]);
    expect(await findMembers(isil.username.toUpperCase())).toEqual([isil.id]);
    expect(await findMembers(isil.email)).toEqual([isil.id]);
    expect(await findMembers('1000')).toEqual([]);
    expect(await findMembers('%')).toEqual([isil.id]);
  });

  it.each([
    'sort=role',
    'order=up',
    'limit=0',
    'limit=1001',
    'cursor=x',
    'offset=-1',
    'state=gone',
    'page=2',
    `q=${'x'.repeat(101)}`,
  ])('are not listed for a request with %s', async (query) => {
    await owner.client.get(path(`?${query}`)).expect(400);
  });

  it('are not listed for forged cursors or those of another order', async () => {
    const cursor = (keys: unknown[]) => Buffer.from(JSON.stringify(keys)).toString('base64url');
    for (const [sort, keys] of [
      ['joined', ['a@example.com', 1]],
      ['joined', ['2026-99-99T00:00:00.000000Z', 1]],
      ['email', ['a\0b', 1]],
      ['email', ['\ud800', 1]],
      ['email', ['a', 'b']],
      ['name', ['a', 1.5]],
      ['name', [1, 1]],
    ] as const) {
      await owner.client.get(path(`?sort=${sort}&cursor=${cursor([...keys])}`)).expect(400);
    }
  });

  it('are returned with markup in names as plain text', async () => {
    await addMember({ firstName: '<img src=x onerror=alert(1)>' });
    const { headers, body } = await owner.client.get(path()).expect(200);
    expect(headers['content-type']).toContain('application/json');
    expect(body[0].user.firstName).toBe('<img src=x onerror=alert(1)>');
  });

  it('are visible to the owner and zone admins and changed only by the owner', async () => {
    const [admin, member, outsider] = [await addMember(), await addMember(), await registerUser(world)];
    await change(admin, { role: 'admin' }).expect(200);
    const calls = (actor: { client: Actor['client'] }) => [
      actor.client.get(path()),
      actor.client.get(path('/export')),
      actor.client.patch(path(`/${member.id}`)).send({ role: 'admin' }),
      actor.client.delete(path(`/${member.id}`)),
      actor.client.post(path(`/${member.id}/restore`)),
    ];
    const callAll = async (actor: { client: Actor['client'] }) => {
      const found = [];
      for (const call of calls(actor)) found.push((await call).status);
      return found;
    };
    expect(await callAll(admin)).toEqual([200, 403, 403, 403, 403]);
    expect(await callAll(member)).toEqual([403, 403, 403, 403, 403]);
    expect(await callAll(outsider)).toEqual([404, 404, 404, 404, 404]);
    expect(await callAll({ client: world.createClient() })).toEqual([401, 401, 401, 401, 401]);
    expect(await callAll(owner)).toEqual([200, 200, 200, 204, 200]);
    expect((await member.client.get(`/api/zones/${zone.id}`)).body.memberCount).toBe(2);
  });
});

describe('PATCH /api/zones/:id/members/:userId', () => {
  it('changes role and end date', async () => {
    const ada = await addMember();
    const ends = inDays(3);
    const { body } = await change(ada, { role: 'admin', expiresAt: ends }).expect(200);
    expect(body).toMatchObject({ userId: ada.id, role: 'admin', expiresAt: ends, isExpired: false });
    const [shared] = (await ada.client.get('/api/shared-zones').expect(200)).body;
    expect(shared).toMatchObject({ memberRole: 'admin', memberExpiresAt: ends });
    expect((await change(ada, { expiresAt: null }).expect(200)).body).toMatchObject({ role: 'admin', expiresAt: null });
    expect((await change(ada, { role: 'member' }).expect(200)).body.role).toBe('member');
    expect((await change(ada, {}).expect(200)).body.role).toBe('member');
  });

  it.each([
    { role: 'owner' },
    { role: null },
    { role: 'king' },
    { expiresAt: 'soon' },
    { expiresAt: '2020-01-01T00:00:00Z' },
    { expiresAt: '+275760-09-13T00:00:00Z' },
    { expiresAt: 5 },
    { expiresAt: ['2099-01-01'] },
    { userId: 1 },
  ])('rejects %j', async (body) => {
    const ada = await addMember();
    await change(ada, body).expect(400);
    expect(await list()).toMatchObject([{ role: 'member', expiresAt: null }]);
  });

  it('returns 404 for non-members and members of other zones', async () => {
    const other = await registerUser(world);
    const otherZone = await createZone(other);
    const member = await registerUser(world);
    await joinPublicZone(otherZone, member);
    for (const someone of [other, member]) {
      expect((await change(someone, { role: 'admin' }).expect(404)).body).toMatchObject({
        code: 'MEMBER_NOT_FOUND',
        message: "This person isn't a member of this zone.",
      });
      await owner.client.delete(path(`/${someone.id}`)).expect(404);
    }
    await owner.client.delete(path('/0')).expect(404);
    expect((await other.client.get(`/api/zones/${otherZone.id}/members`)).body).toMatchObject([{ role: 'member' }]);
  });
});

describeInProcess('Expired membership', () => {
  const listSharedZones = async ({ client }: Actor) =>
    (await client.get('/api/shared-zones').expect(200)).body as object[];
  const dismiss = ({ client }: Actor) => client.delete(`/api/shared-zones/${zone.id}`);

  it('shows the name of the zone only, and gives no rights', async () => {
    const ada = await addMember();
    const expiresAt = inDays(1);
    await change(ada, { expiresAt }).expect(200);
    const [member] = await listSharedZones(ada);
    expect(member).toMatchObject({ memberCount: expect.any(Number), can: { read: true, leave: true } });
    world.testApp.clock.advance(2 * DAY);
    await owner.client.patch(`/api/zones/${zone.id}`).send({ description: 'Changed after the end' }).expect(200);
    const [expired] = (await listSharedZones(ada)) as { can: Record<string, boolean> }[];
    const hidden = { description: '', fileCount: 0, folderCount: 0, totalBytes: 0, memberCount: 0 };
    expect(expired).toMatchObject({ id: zone.id, ...hidden, updatedAt: expiresAt, memberExpiresAt: expiresAt });
    expect(Object.values(expired!.can)).not.toContain(true);
  });

  it('can be dismissed from shared zones until the user rejoins', async () => {
    const ada = await addMember();
    await dismiss(ada).expect(404);
    await dismiss(owner).expect(404);
    await change(ada, { expiresAt: inDays(1) }).expect(200);
    world.testApp.clock.advance(2 * DAY);
    expect(await listSharedZones(ada)).toMatchObject([{ id: zone.id }]);
    await dismiss(ada).expect(204);
    await dismiss(ada).expect(204);
    expect(await listSharedZones(ada)).toEqual([]);
    expect((await ada.client.get('/api/shared-zones?limit=1').expect(200)).headers['x-total-count']).toBe('0');
    await change(ada, { expiresAt: inDays(1) }).expect(200);
    expect(await listSharedZones(ada)).toMatchObject([{ id: zone.id }]);
    world.testApp.clock.advance(2 * DAY);
    expect(await listSharedZones(ada)).toMatchObject([{ id: zone.id }]);
  });

  const restore = ({ client }: Actor) => client.post(`/api/shared-zones/${zone.id}/restore`);

  it('can be shown again after they were dismissed', async () => {
    const ada = await addMember();
    await restore(ada).expect(404);
    await restore(owner).expect(404);
    await change(ada, { expiresAt: inDays(1) }).expect(200);
    world.testApp.clock.advance(2 * DAY);
    await dismiss(ada).expect(204);
    await restore(ada).expect(204);
    await restore(ada).expect(204);
    expect(await listSharedZones(ada)).toMatchObject([{ id: zone.id }]);
    await dismiss(ada).expect(204);
    await restore(await registerUser(world)).expect(404);
    await world.createClient().post(`/api/shared-zones/${zone.id}/restore`).expect(401);
    expect(await listSharedZones(ada)).toEqual([]);
  });
  it('can be dismissed only by its own user', async () => {
    const [ada, bora] = [await addMember(), await addMember()];
    for (const actor of [ada, bora]) await change(actor, { expiresAt: inDays(1) }).expect(200);
    world.testApp.clock.advance(2 * DAY);
    await dismiss(ada).expect(204);
    expect(await listSharedZones(bora)).toMatchObject([{ id: zone.id }]);
    await dismiss(await registerUser(world)).expect(404);
    await world.createClient().delete(`/api/shared-zones/${zone.id}`).expect(401);
  });
});

describe('Owner', () => {
  it('cannot leave or be removed or changed, and the error says why', async () => {
    const [before] = (await owner.client.get('/api/zones')).body;
    for (const response of [
      await change(owner, { role: 'member' }),
      await change(owner, { expiresAt: inDays(1) }),
      await owner.client.delete(path(`/${owner.id}`)),
      await owner.client.post(path(`/${owner.id}/restore`)),
    ]) {
      expect([response.status, response.body.code]).toEqual([409, 'OWNER_STAYS']);
      expect(response.body.message).toMatch(/^You own this zone/);
    }
    expect((await owner.client.get('/api/zones')).body).toEqual([before]);
    await change(owner, { name: 'Still mine' }).expect(400);
  });
});

describe('DELETE /api/zones/:id/members/:userId', () => {
  it('ends access at once and can be undone', async () => {
    const ada = await addMember();
    await change(ada, { role: 'admin', expiresAt: inDays(9) }).expect(200);
    const [before] = await list();
    await owner.client.delete(path(`/${ada.id}`)).expect(204);
    await ada.client.get(`/api/zones/${zone.id}`).expect(404);
    expect(await memberCount()).toBe(0);
    await owner.client.delete(path(`/${ada.id}`)).expect(404);

    const responses = await runConcurrently(5, () => owner.client.post(path(`/${ada.id}/restore`)));
    expect(countStatuses(responses)).toEqual({ 200: 5 });
    const { id: _, ...same } = before as Member & { id: number };
    expect(await list()).toMatchObject([same]);
    expect(await memberCount()).toBe(1);
  });

  it('cannot be undone after an unsubscribe or for a user who was never a member', async () => {
    const ada = await addMember();
    await ada.client.post(`/api/zones/${zone.id}/leave`).expect(200);
    const { body } = await owner.client.post(path(`/${ada.id}/restore`)).expect(409);
    expect(body.code).toBe('UNDO_TOO_LATE');
    await owner.client.post(path(`/${(await registerUser(world)).id}/restore`)).expect(409);
  });

  it('removes once for 20 concurrent requests', async () => {
    const ada = await addMember();
    await addMember();
    const responses = await runConcurrently(20, () => owner.client.delete(path(`/${ada.id}`)));
    expect(countStatuses(responses)).toEqual({ 204: 1, 404: 19 });
    expect(await memberCount()).toBe(1);
  });
});

describe('GET /api/members', () => {
  it('returns a card per zone to owners and zone admins', async () => {
    const ada = await addMember({ firstName: 'Ada' });
    const member = await addMember();
    await change(ada, { role: 'admin' }).expect(200);
    const { body, headers } = await owner.client.get('/api/members').expect(200);
    expect(headers['x-total-count']).toBe('1');
    expect(body).toMatchObject([
      {
        zoneId: zone.id,
        zoneName: zone.name,
        type: 'public',
        memberCount: 2,
        members: [{ userId: member.id }, { userId: ada.id, role: 'admin', user: { firstName: 'Ada' } }],
      },
    ]);
    expect((await ada.client.get('/api/members').expect(200)).body).toHaveLength(1);
    expect((await member.client.get('/api/members').expect(200)).body).toEqual([]);
    await world.createClient().get('/api/members').expect(401);
    await owner.client.get('/api/members?cursor=x').expect(400);
  });
});

describe('GET /api/zones/:id/members/export', () => {
  it('returns UTF-8 CSV with BOM and escaped formulas that can be imported again', async () => {
    await addMember({ firstName: 'Işıl', lastName: '=HYPERLINK("http://evil.example")' });
    await addMember({ firstName: '+1', lastName: '@x' });
    const { text, headers } = await owner.client.get(path('/export')).expect(200);
    expect(headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(headers['content-disposition']).toBe(`attachment; filename="members-${zone.id}.csv"`);
    expect(text.startsWith('\ufeffemail,firstName,lastName,')).toBe(true);
    expect(text).toContain(`Işıl,"'=HYPERLINK(""http://evil.example"")"`);
    expect(text).toContain(`'+1,'@x`);
    expect(text.trimEnd().split('\r\n')).toHaveLength(3);
  });
});
