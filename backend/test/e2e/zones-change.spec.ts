import { createZone, join, register, type Actor, type TestZone } from '../support/actors.js';
import { describeInProcess, World } from '../support/world.js';

let world: World;
let owner: Actor;
beforeAll(async () => {
  world = await World.open();
});
beforeEach(async () => {
  owner = await register(world);
});
afterAll(() => world.close());

describe('changing a zone', () => {
  it('takes name, description and options', async () => {
    const zone = await createZone(owner);
    const change = { name: ' New name ', description: 'More', autoJoin: false, requiresEmailOptin: false };
    const { body } = await owner.client.patch(`/api/zones/${zone.id}`).send(change).expect(200);
    expect(body).toMatchObject({ ...change, name: 'New name', publicLink: zone.publicLink });
    const same = await owner.client.patch(`/api/zones/${zone.id}`).send({}).expect(200);
    expect(same.body).toMatchObject({ ...change, name: 'New name' });
    await owner.client.patch(`/api/zones/${zone.id}`).send({ name: ' ' }).expect(400);
    await owner.client.patch(`/api/zones/${zone.id}`).send({ ownerId: 1 }).expect(400);
  });

  it('from public to private ends the link, and back makes a new one; members stay', async () => {
    const zone = await createZone(owner);
    const member = await register(world);
    await join(zone, member);
    const closed = await owner.client.patch(`/api/zones/${zone.id}`).send({ type: 'private' }).expect(200);
    expect(closed.body).toMatchObject({ type: 'private', publicLink: null, memberCount: 1 });
    await world.client().get(`/api/public-zones/${zone.publicLink}`).expect(404);
    await member.client.get(`/api/zones/${zone.id}`).expect(200);
    const open = await owner.client.patch(`/api/zones/${zone.id}`).send({ type: 'public' }).expect(200);
    expect(open.body.publicLink).not.toBe(zone.publicLink);
  });

  it('is the owner’s alone', async () => {
    const zone = await createZone(owner);
    const member = await register(world);
    await join(zone, member);
    await member.client.patch(`/api/zones/${zone.id}`).send({ name: 'Mine' }).expect(403);
    await member.client.delete(`/api/zones/${zone.id}`).expect(403);
  });
});

describe('the star', () => {
  it('is each viewer’s own', async () => {
    const zone = await createZone(owner);
    const member = await register(world);
    await join(zone, member);
    const toggle = (actor: Actor) => actor.client.post(`/api/zones/${zone.id}/toggle-favorite`).expect(200);
    expect((await toggle(member)).body).toEqual({ isFavorite: true });
    expect((await owner.client.get(`/api/zones/${zone.id}`)).body.isFavorite).toBe(false);
    expect((await toggle(member)).body).toEqual({ isFavorite: false });
  });
});

describe('deleting a zone', () => {
  it('takes it from everybody at once and gives its place in the plan back', async () => {
    const zone = await createZone(owner);
    const member = await register(world);
    await join(zone, member);
    await owner.client.delete(`/api/zones/${zone.id}`).expect(204);
    await owner.client.get(`/api/zones/${zone.id}`).expect(404);
    await member.client.get(`/api/zones/${zone.id}`).expect(404);
    expect((await member.client.get('/api/shared-zones')).body).toEqual([]);
    await world.client().get(`/api/public-zones/${zone.publicLink}`).expect(404);
    await owner.client.delete(`/api/zones/${zone.id}`).expect(404);
    await createZone(owner);
  });
});

describeInProcess('what a deleted zone leaves', () => {
  const usage = async (actor: Actor, metric: string) => {
    const sql = 'select used from usage where owner_id = ? and metric = ?';
    const [row] = await world.inside.em().execute(sql, [actor.id, metric]);
    return Number(row?.used ?? 0);
  };
  const put = (zone: TestZone, name: string) =>
    owner.client.post(`/api/zones/${zone.id}/files`).attach('files', Buffer.from('some bytes'), name).expect(201);

  it('is nothing: no rows, no objects, no usage; people in another zone of the owner still count', async () => {
    await world.inside.em().execute(`update users set plan = 'creator' where id = ?`, [owner.id]);
    const [doomed, other] = [await createZone(owner), await createZone(owner)];
    const [both, one] = [await register(world), await register(world)];
    await join(doomed, both);
    await join(other, both);
    await join(doomed, one);
    await put(doomed, 'a.txt');
    await put(doomed, 'b.txt');
    await put(other, 'kept.txt');
    expect([await usage(owner, 'people'), await usage(owner, 'bytes'), await usage(owner, 'zones')]).toEqual([
      2, 30, 2,
    ]);

    await Promise.all([1, 2, 3].map(() => owner.client.delete(`/api/zones/${doomed.id}`)));
    await world.inside.drain();
    await world.inside.drain();

    expect([await usage(owner, 'people'), await usage(owner, 'bytes'), await usage(owner, 'zones')]).toEqual([
      1, 10, 1,
    ]);
    const em = world.inside.em();
    expect(await em.execute('select id from zones where id = ?', [doomed.id])).toEqual([]);
    expect(await em.execute('select id from files where zone_id = ?', [doomed.id])).toEqual([]);
    const { Storage } = await import('../../src/platform/storage/storage.js');
    const keys: string[] = [];
    for await (const { key } of world.inside.app.get(Storage).list('')) keys.push(key);
    expect(keys).toHaveLength(1);
  });
});
