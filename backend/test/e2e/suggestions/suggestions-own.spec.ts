import { registerUser, uniqueName, type Actor } from '../../support/people/actors.js';
import { describeInProcess, World, type Client } from '../../support/world.js';

const path = '/api/feature-suggestions';

describeInProcess('Own and similar suggestions', () => {
  let world: World;
  let ada: Actor;
  let ben: Actor;
  let admin: Actor;
  let superAdmin: Actor;

  beforeAll(async () => {
    world = await World.open();
    [ada, ben, admin, superAdmin] = [
      await registerUser(world),
      await registerUser(world),
      await registerUser(world),
      await registerUser(world),
    ];
    const em = world.testApp.em();
    await em.execute(`update users set role = 'admin' where id = ?`, [admin.id]);
    await em.execute('update users set is_super_admin = true where id = ?', [superAdmin.id]);
  });
  afterAll(() => world.close());

  const createSuggestion = (more: object) => ({
    title: uniqueName('Wish'),
    description: 'Members should see a calendar of what comes next.',
    category: 'feature',
    ...more,
  });
  const submit = async (actor: Actor, more: object = {}) =>
    (await actor.client.post(path).send(createSuggestion(more)).expect(201)).body;
  const readAs = async (client: Client, id: number) =>
    (await client.get(path).expect(200)).body.find((suggestion: { id: number }) => suggestion.id === id);

  it('are edited and withdrawn by their author only while pending', async () => {
    const { id, title } = await submit(ada);
    await ben.client.post(`${path}/${id}/vote`).expect(200);
    const words = { description: 'A calendar with reminders, please, for every zone.', category: 'improvement' };
    const { body } = await ada.client.patch(`${path}/${id}/words`).send(words).expect(200);
    expect(body).toMatchObject({ id, title, ...words, voteCount: 1, status: 'pending' });
    const found = await ben.client
      .get(path)
      .query({ q: `${title} reminders` })
      .expect(200);
    expect(found.body.map((suggestion: { id: number }) => suggestion.id)).toEqual([id]);
    for (const wrong of [{ status: 'approved' }, { title: 'Four' }, { adminNotes: 'x' }, {}]) {
      await ada.client.patch(`${path}/${id}/words`).send(wrong).expect(400);
    }
    for (const client of [ben.client, superAdmin.client]) {
      const rejected = await client.patch(`${path}/${id}/words`).send(words).expect(403);
      expect(rejected.body.code).toBe('SUGGESTION_OF_ANOTHER');
      await client.post(`${path}/${id}/withdraw`).expect(403);
    }
    await admin.client.patch(`${path}/${id}`).send({ status: 'approved' }).expect(200);
    for (const call of [
      ada.client.patch(`${path}/${id}/words`).send(words),
      ada.client.post(`${path}/${id}/withdraw`),
    ]) {
      expect((await call.expect(409)).body.code).toBe('SUGGESTION_NOT_PENDING');
    }
    await admin.client.patch(`${path}/${id}`).send({ status: 'pending' }).expect(200);
    await ada.client.post(`${path}/${id}/withdraw`).expect(204);
    await ada.client.post(`${path}/${id}/withdraw`).expect(404);
    expect(await readAs(ben.client, id)).toBeUndefined();
    expect(await world.testApp.em().execute('select 1 from feature_votes where suggestion_id = ?', [id])).toEqual([]);
  });

  it('accept no votes once rejected, but allow withdrawing votes', async () => {
    const { id } = await submit(ada);
    await ben.client.post(`${path}/${id}/vote`).expect(200);
    await admin.client.patch(`${path}/${id}`).send({ status: 'rejected' }).expect(200);
    expect((await ada.client.post(`${path}/${id}/vote`).expect(409)).body.code).toBe('SUGGESTION_REJECTED');
    expect(await readAs(ben.client, id)).toMatchObject({ voteCount: 1, can: { vote: false } });
    await ben.client.delete(`${path}/${id}/vote`).expect(204);
    expect(await readAs(ben.client, id)).toMatchObject({ voteCount: 0 });
  });

  it('are found while a similar one is being written', async () => {
    const word = uniqueName('Öneri');
    const { id } = await submit(ada, { title: `Export members of ${word}` });
    const findSimilar = async (title: string) =>
      (await ben.client.get(`${path}/similar`).query({ title }).expect(200)).body.map(
        (suggestion: { id: number }) => suggestion.id,
      );
    expect((await findSimilar(`export member ${word.toLowerCase()}`))[0]).toBe(id);
    expect(await findSimilar('qqqq zzzz xxxx')).toEqual([]);
    expect((await findSimilar('Export members')).length).toBeLessThanOrEqual(5);
    for (const query of [{}, { title: '' }, { title: 'x'.repeat(101) }]) {
      await ben.client.get(`${path}/similar`).query(query).expect(400);
    }
    await world.createClient().get(`${path}/similar`).query({ title: 'x' }).expect(401);
  });
});
