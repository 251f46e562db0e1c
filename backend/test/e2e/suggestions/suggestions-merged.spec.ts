import { registerUsers, registerUser, uniqueName, type Actor } from '../../support/people/actors.js';
import { describeInProcess, World, type Client } from '../../support/world.js';

const path = '/api/feature-suggestions';

describeInProcess('Merged suggestions', () => {
  let world: World;
  let ada: Actor;
  let ben: Actor;
  let cem: Actor;
  let admin: Actor;

  beforeAll(async () => {
    world = await World.open();
    [ada, ben, cem, admin] = (await registerUsers(world, 4)) as [Actor, Actor, Actor, Actor];
    await world.testApp.em().execute(`update users set role = 'admin', is_super_admin = true where id = ?`, [admin.id]);
  });
  afterAll(() => world.close());

  const submit = async (actor: Actor, title = uniqueName('Wish')): Promise<{ id: number; title: string }> =>
    (await actor.client.post(path).send({ title, description: 'A calendar of what comes next, please.' }).expect(201))
      .body;
  const vote = (actor: Actor, id: number) => actor.client.post(`${path}/${id}/vote`);
  const unvote = (actor: Actor, id: number) => actor.client.delete(`${path}/${id}/vote`);
  const merge = (id: number, intoId: number, client: Client = admin.client) =>
    client.post(`${path}/${id}/merge`).send({ intoId });
  const unmerge = (id: number) => admin.client.delete(`${path}/${id}/merge`);
  const readSuggestion = async (client: Client, id: number) =>
    (await client.get(path).expect(200)).body.find((suggestion: { id: number }) => suggestion.id === id);
  const countVotes = async (...ids: number[]) => {
    const { body } = await admin.client.get(`/api/admin/feature-suggestions?perPage=1000`).expect(200);
    return ids.map((id) => body.find((suggestion: { id: number }) => suggestion.id === id).voteCount);
  };
  const listEmails = async (actor: Actor, subject: RegExp, title = '') =>
    (await world.listEmails(actor.email)).filter((mail) => subject.test(mail.subject) && mail.text.includes(title));

  it('count each voter once, link to the target and are separable with their votes', async () => {
    const [one, other] = [await submit(ada), await submit(ben)];
    for (const actor of [ada, ben]) await vote(actor, one.id).expect(200);
    for (const actor of [ben, cem]) await vote(actor, other.id).expect(200);
    const { body } = await merge(one.id, other.id).expect(200);
    const mergedInto = { id: other.id, title: other.title, voteCount: 3 };
    expect(body).toMatchObject({ mergedInto, can: { merge: false, unmerge: true, vote: false, update: false } });
    expect(await readSuggestion(ben.client, other.id)).toMatchObject({
      voteCount: 3,
      mergedCount: 1,
      mergedInto: null,
    });
    expect(await readSuggestion(ada.client, other.id)).toMatchObject({ userVoted: true, voteCount: 3 });
    // Its author still sees it, with the suggestion it was merged into; others see only that one.
    expect(await readSuggestion(ada.client, one.id)).toMatchObject({ mergedInto, can: { edit: false } });
    expect(await readSuggestion(ben.client, one.id)).toBeUndefined();
    const { body: similar } = await cem.client.get(`${path}/similar`).query({ title: one.title }).expect(200);
    expect(similar.map(({ id }: { id: number }) => id)).not.toContain(one.id);
    await vote(ada, other.id).expect(200);
    expect(await countVotes(other.id)).toEqual([3]);
    await unmerge(one.id).expect(200);
    expect(await countVotes(one.id, other.id)).toEqual([2, 2]);
    expect(await readSuggestion(ada.client, other.id)).toMatchObject({ userVoted: false });
  });

  it('share votes and withdrawals, which remain after separation', async () => {
    const [one, other] = [await submit(ada), await submit(ben)];
    for (const id of [one.id, other.id]) await vote(ben, id).expect(200);
    await merge(one.id, other.id).expect(200);
    await vote(cem, other.id).expect(200);
    await unvote(ben, other.id).expect(204);
    await unvote(ben, other.id).expect(204);
    expect(await countVotes(other.id)).toEqual([1]);
    await unmerge(one.id).expect(200);
    expect(await countVotes(one.id, other.id)).toEqual([0, 1]);
  });

  it('notify authors and voters on merge and separation', async () => {
    const [one, other] = [await submit(ada), await submit(ben)];
    await vote(cem, one.id).expect(200);
    await vote(ben, one.id).expect(200);
    await ben.client.put('/api/user/profile').send({ notifySuggestions: false }).expect(200);
    await merge(one.id, other.id).expect(200);
    await world.testApp.drain();
    for (const actor of [ada, cem]) {
      const [mail] = await listEmails(actor, /was merged into another one/, one.title);
      expect(mail!.text).toContain(other.title);
      expect(mail!.text).toContain(`/feature-suggestions?q=${encodeURIComponent(other.title)}`);
    }
    expect(await listEmails(ben, /merged/, one.title)).toEqual([]);
    await unmerge(one.id).expect(200);
    await world.testApp.drain();
    expect(await listEmails(ada, /is separate again/, one.title)).toHaveLength(1);
    await ben.client.put('/api/user/profile').send({ notifySuggestions: true }).expect(200);
  });

  it('reject chains, unmerged suggestions and users who are not admins', async () => {
    const [a, b, c] = [await submit(ada), await submit(ada), await submit(ben)];
    expect((await merge(a.id, b.id, ben.client).expect(403)).body.code).toBe('FORBIDDEN');
    expect((await merge(a.id, a.id).expect(400)).body.errors.intoId).toHaveLength(1);
    await merge(a.id, 999_999).expect(404);
    expect((await unmerge(a.id).expect(409)).body.code).toBe('SUGGESTION_NOT_MERGED');
    await merge(a.id, b.id).expect(200);
    for (const [id, into] of [
      [a.id, c.id],
      [c.id, a.id],
    ] as const)
      expect((await merge(id, into).expect(409)).body.code).toBe('SUGGESTION_MERGED');
    expect((await merge(b.id, c.id).expect(409)).body.code).toBe('SUGGESTION_HAS_MERGED');
    for (const call of [
      vote(ben, a.id),
      unvote(ben, a.id),
      ada.client.patch(`${path}/${a.id}/words`).send({ title: 'Something else' }),
      ada.client.post(`${path}/${a.id}/withdraw`),
      admin.client.patch(`${path}/${a.id}`).send({ status: 'approved' }),
    ])
      expect((await call.expect(409)).body.code).toBe('SUGGESTION_MERGED');
  });

  it('are separate again when the target is withdrawn or deleted', async () => {
    const [one, other] = [await submit(ada), await submit(ben)];
    await vote(cem, one.id).expect(200);
    await merge(one.id, other.id).expect(200);
    await unvote(cem, other.id).expect(204);
    await ben.client.post(`${path}/${other.id}/withdraw`).expect(204);
    expect(await readSuggestion(cem.client, one.id)).toMatchObject({ mergedInto: null, voteCount: 0 });
    const third = await submit(ben);
    await vote(cem, one.id).expect(200);
    await merge(one.id, third.id).expect(200);
    await admin.client.delete(`${path}/${one.id}`).expect(204);
    expect(await countVotes(third.id)).toEqual([0]);
  });

  it('stay consistent under concurrent votes, account deletions and merges', async () => {
    const voters = await registerUsers(world, 6);
    const [one, other] = [await submit(ada), await submit(ben)];
    for (const round of [0, 1, 2]) {
      await Promise.all([
        ...voters.flatMap((actor, index) => [
          vote(actor, one.id),
          vote(actor, other.id),
          index % 2 ? unvote(actor, other.id) : vote(actor, one.id),
        ]),
        merge(one.id, other.id),
        merge(other.id, one.id),
        ...(round > 0 ? [unmerge(one.id), unmerge(other.id)] : []),
      ]);
    }
    const leaver = await registerUser(world);
    await vote(leaver, one.id);
    await vote(leaver, other.id);
    await Promise.all([
      merge(one.id, other.id),
      leaver.client.delete('/api/user').send({ password: leaver.password }).expect(204),
    ]);
    await world.testApp.drain();
    const rows = await world.testApp.em().execute<{ shown: number; counted: number }[]>(
      `select s.vote_count as shown, (select count(distinct v.user_id)::int from feature_votes v join feature_suggestions g
         on g.id = v.suggestion_id where g.id = s.id or g.merged_into_id = s.id) as counted
       from feature_suggestions s where s.id in (?, ?) and s.merged_into_id is null`,
      [one.id, other.id],
    );
    for (const { shown, counted } of rows) expect(shown).toBe(counted);
    const chains = `select 1 from feature_suggestions a join feature_suggestions b on b.id = a.merged_into_id where b.merged_into_id is not null`;
    expect(await world.testApp.em().execute(chains)).toEqual([]);
  });
});
