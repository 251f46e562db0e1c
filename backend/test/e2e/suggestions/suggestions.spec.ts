import { registerUser, uniqueName, type Actor } from '../../support/people/actors.js';
import { describeInProcess, World, type Client } from '../../support/world.js';
import { createApiToken } from '../auth/account-helpers.js';

const path = '/api/feature-suggestions';
const createSuggestion = (more: object = {}) => ({
  title: uniqueName('Wish'),
  description: 'Members should see a calendar of what comes next.',
  category: 'feature',
  ...more,
});

describeInProcess('Suggestions', () => {
  let world: World;
  let ada: Actor;
  let ben: Actor;
  let admin: Actor;
  let superAdmin: Actor;

  beforeAll(async () => {
    world = await World.open();
    [ada, ben, admin, superAdmin] = [
      await registerUser(world, { firstName: 'Ada', lastName: 'Yılmaz' }),
      await registerUser(world),
      await registerUser(world),
      await registerUser(world),
    ];
    const em = world.testApp.em();
    await em.execute(`update users set role = 'admin' where id = ?`, [admin.id]);
    await em.execute('update users set is_super_admin = true where id = ?', [superAdmin.id]);
  });
  afterAll(() => world.close());

  const submit = async (actor: Actor, more: object = {}) =>
    (await actor.client.post(path).send(createSuggestion(more)).expect(201)).body;
  const readAs = async (client: Client, id: number) =>
    (await client.get(path).expect(200)).body.find((suggestion: { id: number }) => suggestion.id === id);
  const listAuditEntries = (id: number) =>
    world.testApp
      .em()
      .execute(`select type, actor_id, params from audit_log where params @> ?::jsonb order by id`, [
        JSON.stringify({ suggestionId: id }),
      ]);

  it('are submitted and returned with all their fields', async () => {
    const created = await submit(ada, { category: 'improvement' });
    expect(created).toEqual({
      id: expect.any(Number),
      title: created.title,
      description: 'Members should see a calendar of what comes next.',
      category: 'improvement',
      status: 'pending',
      priority: 'medium',
      submitterName: 'Ada Yılmaz',
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      adminNotes: null,
      estimatedHours: null,
      targetVersion: null,
      voteCount: 0,
      userVoted: false,
      isOwn: true,
      mergedInto: null,
      mergedCount: 0,
      can: { update: false, delete: false, edit: true, vote: true, merge: false, unmerge: false },
    });
    const can = { ...created.can, edit: false };
    expect(await readAs(ben.client, created.id)).toEqual({ ...created, isOwn: false, can });
    expect(JSON.stringify(created)).not.toContain(ada.email);
  });

  it.each([
    ['title', { title: 'Four' }],
    ['title', { title: `${' '.repeat(9)}Four` }],
    ['title', { title: 'x'.repeat(101) }],
    ['title', { title: 'two\nlines' }],
    ['description', { description: 'x'.repeat(19) }],
    ['description', { description: 'x'.repeat(1001) }],
    ['description', { description: 5 }],
    ['category', { category: 'wish' }],
    ['category', { category: null }],
    ['status', { status: 'approved' }],
  ])('are rejected for their %s: %j', async (field, more) => {
    const { body } = await ada.client.post(path).send(createSuggestion(more)).expect(400);
    expect(Object.keys(body.errors)).toEqual([field]);
  });

  it('are accepted at the length limits', async () => {
    await submit(ada, { title: 'x'.repeat(5), description: 'y'.repeat(20) });
    await submit(ada, { title: 'x'.repeat(100), description: 'y'.repeat(1000), category: 'bug' });
  });

  it('count one vote per user, even with concurrent votes', async () => {
    const { id } = await submit(ada);
    const votes = await Promise.all(Array.from({ length: 50 }, () => ben.client.post(`${path}/${id}/vote`)));
    expect(new Set(votes.map(({ status }) => status))).toEqual(new Set([200]));
    expect(votes.at(-1)!.body).toMatchObject({ id, voteCount: 1, userVoted: true });
    const back = await Promise.all(Array.from({ length: 20 }, () => ben.client.delete(`${path}/${id}/vote`)));
    expect(new Set(back.map(({ status }) => status))).toEqual(new Set([204]));
    expect(await readAs(ben.client, id)).toMatchObject({ voteCount: 0, userVoted: false });
  });

  it('count fifty concurrent votes and withdrawals', async () => {
    const { id } = await submit(ada);
    const em = world.testApp.em();
    const prefix = uniqueName('voter');
    await em.execute(
      `insert into users (email, password, first_name, last_name, username, email_verified, created_at, updated_at)
       select ? || n || '@example.com', (select password from users where id = ?), 'V', 'W', ? || n, true, now(), now()
       from generate_series(1, 50) n`,
      [prefix, ada.id, prefix],
    );
    const login = async (n: number) => {
      const client = world.createClient();
      await client
        .post('/api/login')
        .send({ email: `${prefix}${n}@example.com`, password: ada.password })
        .expect(200);
      return client;
    };
    const people: Client[] = [];
    // A few at a time, because some of many concurrent sign-ins are rejected as busy.
    for (let n = 1; n <= 50; n += 5)
      people.push(...(await Promise.all([0, 1, 2, 3, 4].map((more) => login(n + more)))));
    await Promise.all(people.map((client) => client.post(`${path}/${id}/vote`).expect(200)));
    expect(await readAs(people[7]!, id)).toMatchObject({ voteCount: 50, userVoted: true });
    await Promise.all(people.slice(0, 20).map((client) => client.delete(`${path}/${id}/vote`).expect(204)));
    expect(await readAs(people[7]!, id)).toMatchObject({ voteCount: 30, userVoted: false });
  });

  it('are filtered, searched, sorted and paginated', async () => {
    const word = uniqueName('ILIK');
    const [first, second, third] = [
      await submit(ada, { title: `${word} one` }),
      await submit(ada, { title: `${word} two`, category: 'bug' }),
      await submit(ada, { description: `Nothing in the title, but ${word.toLowerCase()} here` }),
    ];
    await ben.client.post(`${path}/${second.id}/vote`).expect(200);
    await admin.client.patch(`${path}/${first.id}`).send({ status: 'approved' }).expect(200);
    const ids = async (query: object) => {
      const { body, headers } = await ben.client
        .get(path)
        .query({ q: word, ...query })
        .expect(200);
      expect(Number(headers['x-total-count'])).toBeGreaterThanOrEqual(body.length);
      return body.map(({ id }: { id: number }) => id);
    };
    expect(await ids({})).toEqual([second.id, third.id, first.id]);
    expect(await ids({ sort: 'newest' })).toEqual([third.id, second.id, first.id]);
    expect(await ids({ status: 'approved' })).toEqual([first.id]);
    expect(await ids({ status: 'all', category: 'all' })).toEqual([second.id, third.id, first.id]);
    expect(await ids({ category: 'bug' })).toEqual([second.id]);
    expect(await ids({ q: `${word} TWO` })).toEqual([second.id]);
    expect(await ids({ q: '%' })).toEqual([]);
    for (const sort of ['votes', 'newest']) {
      const page = await ben.client.get(path).query({ q: word, sort, limit: 2 }).expect(200);
      expect(page.headers['x-total-count']).toBe('3');
      const next = /<([^>]+)>; rel="next"/.exec(page.headers.link!)![1]!;
      const rest = await ben.client.get(next).expect(200);
      expect([...page.body, ...rest.body].map(({ id }: { id: number }) => id)).toEqual(await ids({ sort }));
    }
    for (const query of [{ status: 'odd' }, { sort: 'odd' }, { category: 'x' }, { cursor: 'x' }, { limit: 0 }]) {
      await ben.client.get(path).query(query).expect(400);
    }
  });

  it('are updated by admins, and the submitter is notified of a new status', async () => {
    const { id, title } = await submit(ada);
    const change = { status: 'approved', priority: 'high', adminNotes: 'In spring.', estimatedHours: 40 };
    const { body } = await admin.client
      .patch(`${path}/${id}`)
      .send({ ...change, targetVersion: '2.1' })
      .expect(200);
    expect(body).toMatchObject({
      ...change,
      targetVersion: '2.1',
      can: { update: true, delete: false, edit: false, vote: true, merge: true, unmerge: false },
    });
    const mail = await world.waitForEmail(ada.email, ({ subject }) => subject.includes('approved'));
    expect(mail.text).toContain(title);
    expect(mail.text).toContain('In spring.');
    expect(await listAuditEntries(id)).toMatchObject([
      { type: 'suggestion.updated', actor_id: admin.id, params: { from: 'pending', to: 'approved' } },
    ]);
    const { body: nothing } = await admin.client.patch(`${path}/${id}`).send({}).expect(400);
    expect(nothing.code).toBe('NOTHING_TO_CHANGE');
    const cleared = { adminNotes: '', estimatedHours: null, targetVersion: null, title: 'Another title' };
    const { body: after } = await admin.client.patch(`${path}/${id}`).send(cleared).expect(200);
    expect(after).toMatchObject({ ...cleared, adminNotes: null, status: 'approved', priority: 'high' });
    await world.testApp.drain();
    expect((await world.listEmails(ada.email)).filter(({ text }) => text.includes(title))).toHaveLength(1);
  });

  it('send no notification if disabled or if the status was reverted', async () => {
    const cem = await registerUser(world);
    const { id } = await submit(cem);
    await cem.client.put('/api/user/profile').send({ firstName: 'Cem', notifySuggestions: false }).expect(200);
    await admin.client.patch(`${path}/${id}`).send({ status: 'rejected' }).expect(200);
    await world.testApp.drain();
    await cem.client.put('/api/user/profile').send({ firstName: 'Cem', notifySuggestions: true }).expect(200);
    await admin.client.patch(`${path}/${id}`).send({ status: 'approved' }).expect(200);
    await admin.client.patch(`${path}/${id}`).send({ status: 'in-progress' }).expect(200);
    await world.testApp.drain();
    const notifications = (await world.listEmails(cem.email)).filter(({ subject }) => subject.includes('suggestion'));
    expect(notifications.map(({ subject }) => subject)).toEqual(['Your suggestion is being worked on']);
  });

  it.each([
    ['title', { title: 'Four' }],
    ['title', { title: null }],
    ['description', { description: 'short' }],
    ['status', { status: 'done' }],
    ['priority', { priority: 'urgent' }],
    ['adminNotes', { adminNotes: 'x'.repeat(501) }],
    ['estimatedHours', { estimatedHours: 0 }],
    ['estimatedHours', { estimatedHours: 201 }],
    ['estimatedHours', { estimatedHours: 1.5 }],
    ['targetVersion', { targetVersion: 'x'.repeat(21) }],
    ['voteCount', { voteCount: 9 }],
  ])('reject a change of %s to %j', async (field, change) => {
    const { id } = await submit(superAdmin);
    const { body } = await admin.client.patch(`${path}/${id}`).send(change).expect(400);
    expect(Object.keys(body.errors)).toEqual([field]);
  });

  it('enforce permissions', async () => {
    const { id } = await submit(ada);
    const change = (client: Client) => client.patch(`${path}/${id}`).send({ status: 'approved' });
    for (const client of [ada.client, ben.client]) {
      await change(client).expect(403);
      await client.delete(`${path}/${id}`).expect(403);
      await client.get('/api/admin/feature-suggestions').expect(403);
    }
    const bearer = `Bearer ${(await createApiToken(admin, 'write')).token}`;
    await change(admin.client).set('Authorization', bearer).expect(403);
    await admin.client.delete(`${path}/${id}`).expect(403);
    await world.createClient().get(path).expect(401);
    await superAdmin.client.delete(`${path}/${id}`).expect(204);
    for (const call of [superAdmin.client.delete(`${path}/${id}`), change(admin.client)]) {
      expect((await call.expect(404)).body.code).toBe('SUGGESTION_NOT_FOUND');
    }
    await ben.client.post(`${path}/${id}/vote`).expect(404);
    await ben.client.delete(`${path}/${id}/vote`).expect(404);
    expect((await listAuditEntries(id)).map(({ type }) => type)).toEqual(['suggestion.deleted']);
  });

  it('are listed and exported for admins with addresses, sorted and filtered', async () => {
    const word = uniqueName('adminlist');
    const [low, high] = [await submit(ada, { title: `${word} a` }), await submit(ben, { title: `${word} b` })];
    await ben.client.post(`${path}/${high.id}/vote`).expect(200);
    const list = (query: object) => admin.client.get('/api/admin/feature-suggestions').query({ q: word, ...query });
    const { body, headers } = await list({ sort: 'voteCount', perPage: 1 }).expect(200);
    expect([headers['x-total-count'], body.length]).toEqual(['2', 1]);
    expect(body[0]).toMatchObject({ id: high.id, submitterEmail: ben.email });
    const rest = await list({ sort: 'voteCount', perPage: 1, page: 2, status: 'pending' }).expect(200);
    expect(rest.body[0]).toMatchObject({ id: low.id, submitterEmail: ada.email });
    await list({ sort: 'search_key' }).expect(400);
    await submit(ada, { title: `=${word} c` });
    const file = await admin.client.get('/api/admin/feature-suggestions/export').query({ q: word }).expect(200);
    const lines = file.text
      .trim()
      .split('\r\n')
      .map((line) => line.split(',').slice(1));
    expect(lines[0]!.join()).toBe(
      'title,description,category,status,priority,votes,submitterEmail,adminNotes,estimatedHours,targetVersion,createdAt,updatedAt',
    );
    expect(lines.slice(1).map((cells) => cells[0])).toEqual([`'=${word} c`, high.title, low.title]);
    expect(lines[2]!.slice(-7, -4)).toEqual(['1', ben.email, '']);
    const recorded = await world.testApp
      .em()
      .execute(`select actor_id from audit_log where params->>'list' = 'suggestions'`);
    expect(recorded).toEqual([{ actor_id: admin.id }]);
  });

  it('are deleted with the account unless others voted for them, and votes are subtracted', async () => {
    const deletedUser = await registerUser(world);
    const [alone, wanted, other] = [await submit(deletedUser), await submit(deletedUser), await submit(ada)];
    await ben.client.post(`${path}/${wanted.id}/vote`).expect(200);
    for (const { id } of [alone, wanted, other]) await deletedUser.client.post(`${path}/${id}/vote`).expect(200);
    const exported = JSON.parse((await deletedUser.client.get('/api/user/export').expect(200)).text);
    expect(exported.featureSuggestions).toHaveLength(2);
    expect(exported.featureVotes).toHaveLength(3);
    await deletedUser.client.delete('/api/user').send({ password: deletedUser.password }).expect(204);
    await world.testApp.drain();
    expect(await readAs(ben.client, alone.id)).toBeUndefined();
    expect(await readAs(ben.client, wanted.id)).toMatchObject({ submitterName: null, voteCount: 1, isOwn: false });
    expect(await readAs(ben.client, other.id)).toMatchObject({ voteCount: 0 });
  });
});

describeInProcess('Suggestion rate limit', () => {
  it('allows ten per hour and user', async () => {
    const world = await World.open({ RATE_LIMIT: 'on' });
    try {
      const ada = await registerUser(world);
      const responses = await Promise.all(
        Array.from({ length: 12 }, () => ada.client.post(path).send(createSuggestion())),
      );
      expect(responses.map(({ status }) => status).sort()).toEqual([...Array(10).fill(201), 429, 429]);
      world.testApp.clock.advance(3_600_000);
      await ada.client.post(path).send(createSuggestion()).expect(201);
    } finally {
      await world.close();
    }
  });
});
