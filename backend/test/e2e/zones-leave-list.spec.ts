import { createZone, join, register, type Actor, type TestZone } from '../support/actors.js';
import { World } from '../support/world.js';

let world: World;
let owner: Actor;
let zone: TestZone;
let reader: Actor;
beforeAll(async () => {
  world = await World.open();
});
beforeEach(async () => {
  reader = await register(world);
  owner = await register(world);
  zone = await createZone(owner);
  await join(zone, reader);
});
afterAll(() => world.close());

const leave = (actor: Actor, body: object = {}) => actor.client.post(`/api/zones/${zone.id}/leave`).send(body);

describe('who left a zone', () => {
  const leaves = (actor: Actor = owner, search = '') => actor.client.get(`/api/zones/${zone.id}/leaves${search}`);

  it('is shown to the owner with the reason, the newest first, page by page', async () => {
    const second = await register(world, { firstName: 'Rosa', lastName: 'Kaya' });
    await join(zone, second);
    await leave(reader, { reason: 'Too many mails' }).expect(200);
    await owner.client.delete(`/api/zones/${zone.id}/members/${second.id}`).expect(204);
    const { body, headers } = await leaves().expect(200);
    expect(body).toMatchObject([
      { via: 'removed', reason: null, user: { id: second.id, email: second.email, firstName: 'Rosa' } },
      { via: 'app', reason: 'Too many mails', user: { id: reader.id } },
    ]);
    expect(headers['x-total-count']).toBe('2');
    const first = await leaves(owner, '?limit=1').expect(200);
    const next = new URL(/<([^>]+)>; rel="next"/.exec(first.headers.link as string)![1]!, 'http://zone');
    const last = await leaves(owner, next.search).expect(200);
    expect([...first.body, ...last.body]).toEqual(body);
    expect(last.headers.link).toBeUndefined();
    await leaves(owner, '?cursor=WyJ4IiwxXQ').expect(400);
  });

  it('leaves out what was taken back, and keeps no person and no reason of a deleted account', async () => {
    await owner.client.delete(`/api/zones/${zone.id}/members/${reader.id}`).expect(204);
    await owner.client.post(`/api/zones/${zone.id}/members/${reader.id}/restore`).expect(200);
    expect((await leaves().expect(200)).body).toEqual([]);
    await leave(reader, { reason: 'Enough' }).expect(200);
    await reader.client.delete('/api/user').send({ password: reader.password }).expect(204);
    const [left] = (await leaves().expect(200)).body;
    expect(left).toMatchObject({ via: 'app', user: null, reason: null });
  });

  it('is for the owner alone', async () => {
    const helper = await register(world);
    await join(zone, helper);
    await leaves(reader).expect(403);
    await owner.client.patch(`/api/zones/${zone.id}/members/${helper.id}`).send({ role: 'admin' }).expect(200);
    await leaves(helper).expect(403);
    await leaves(await register(world)).expect(404);
    await world.client().get(`/api/zones/${zone.id}/leaves`).expect(401);
  });
});
