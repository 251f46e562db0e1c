import supertest from 'supertest';
import {
  createZone,
  joinPublicZone,
  PASSWORD,
  registerUser,
  uniqueName,
  type Actor,
} from '../../support/people/actors.js';
import { describeInProcess, World } from '../../support/world.js';
import { createApiToken, signIn } from '../auth/account-helpers.js';
import { listAuditEntriesBy, makeSuperAdmin, registerStaff } from './staff-helpers.js';

const path = '/api/admin/users';

describeInProcess('Users in the administration', () => {
  let world: World;
  let superAdmin: Actor;
  let admin: Actor;
  let person: Actor;

  beforeAll(async () => {
    world = await World.open();
    ({ superAdmin, admin } = await registerStaff(world));
  });
  beforeEach(async () => {
    person = await registerUser(world);
  });
  afterAll(() => world.close());

  const program = (token: string) => supertest.agent(world.url).set('Authorization', `Bearer ${token}`);
  const readUser = async (actor: Actor, by = superAdmin) =>
    (await by.client.get(`${path}/${actor.id}`).expect(200)).body;

  describe('in the list', () => {
    let word: string;
    let ids: Record<'active' | 'pending' | 'out' | 'staff', number>;
    beforeAll(async () => {
      word = uniqueName('Işıl');
      const add = async (name: string, more: object) => {
        const fields = { email: `${name}-${uniqueName('l')}@example.com`, first_name: name, last_name: word, ...more };
        const columns = Object.keys(fields);
        const [row] = await world.testApp
          .em()
          .execute<{ id: number }[]>(
            `insert into users (${columns.join(', ')}, created_at, updated_at) values (${columns.map(() => '?').join(', ')}, now(), now()) returning id`,
            Object.values(fields),
          );
        return Number(row!.id);
      };
      ids = {
        active: await add('Bora', { email_verified: true, plan: 'creator' }),
        pending: await add('Cem', { email_verified: false }),
        out: await add('Defne', { email_verified: true, deactivated_at: new Date() }),
        staff: await add('=Elif', { email_verified: true, role: 'admin' }),
      };
    });

    const found = async (query: object) => {
      const { body, headers } = await admin.client
        .get(path)
        .query({ q: word.toUpperCase(), sort: 'createdAt', order: 'asc', ...query })
        .expect(200);
      expect(Number(headers['x-total-count'])).toBeGreaterThanOrEqual(body.length);
      return body.map(({ id }: { id: number }) => id);
    };

    it('are found by name, address and username, ignoring case and Turkish i', async () => {
      const { active, pending, out, staff } = ids;
      expect(await found({})).toEqual([active, pending, out, staff]);
      expect(await found({ q: 'bora-' })).toContain(active);
      expect(await found({ q: 'böra-' })).toContain(active);
      expect(await found({ q: person.username })).toEqual([person.id]);
      expect(await found({ q: person.email })).toEqual([person.id]);
      expect(await found({ q: '%' })).toEqual([]);
    });

    it('show super admins as active even if their address is unverified', async () => {
      const { id, username } = await registerUser(world);
      await world.testApp
        .em()
        .execute('update users set is_super_admin = true, email_verified = false where id = ?', [id]);
      expect(await found({ q: username, state: 'active' })).toEqual([id]);
      expect(await found({ q: username, state: 'pending' })).toEqual([]);
      expect((await readUser({ id } as Actor)).state).toBe('active');
    });

    it('are filtered by state, plan and role, sorted and paginated', async () => {
      const { active, pending, out, staff } = ids;
      expect(await found({ state: 'active' })).toEqual([active, staff]);
      expect(await found({ state: 'pending' })).toEqual([pending]);
      expect(await found({ state: 'deactivated' })).toEqual([out]);
      expect(await found({ plan: 'creator' })).toEqual([active]);
      expect(await found({ role: 'admin' })).toEqual([staff]);
      expect(await found({ role: 'user', state: 'active' })).toEqual([active]);
      expect(await found({ role: 'super-admin' })).toEqual([]);
      expect(await found({ sort: 'name', order: 'desc' })).toEqual([out, pending, active, staff]);
      expect(await found({ perPage: 2, page: 2 })).toEqual([out, staff]);
      for (const query of [{ state: 'odd' }, { plan: 'gold' }, { role: 'owner' }, { sort: 'password' }, { page: 0 }]) {
        await admin.client.get(path).query(query).expect(400);
      }
    });

    it('are sorted by displayed name in Turkish order, paginated', async () => {
      const tag = uniqueName('sorted');
      const em = world.testApp.em();
      const people = [
        ['Cem', tag],
        ['Çağla', '.'],
        [null, null],
        ['Can 10', tag],
        ['Can 9', tag],
        ['Defne', tag],
      ];
      for (const [first, last] of people) {
        await em.execute(
          `insert into users (email, first_name, last_name, created_at, updated_at) values (?, ?, ?, now(), now())`,
          [`dd-${uniqueName('x')}-${tag}@example.com`, first, last],
        );
      }
      const names = async (query: object) => {
        const { body, headers } = await admin.client
          .get(path)
          .query({ q: tag, sort: 'name', ...query })
          .expect(200);
        return [headers['x-total-count'], ...body.map(({ firstName }: { firstName: string | null }) => firstName)];
      };
      const inOrder = ['Can 9', 'Can 10', 'Cem', 'Çağla', null, 'Defne'];
      expect(await names({ order: 'asc' })).toEqual(['6', ...inOrder]);
      expect(await names({ order: 'desc' })).toEqual(['6', ...inOrder.toReversed()]);
      expect(await names({ order: 'asc', perPage: 4, page: 2 })).toEqual(['6', null, 'Defne']);
      expect(await names({ order: 'asc', perPage: 4, page: 3 })).toEqual(['6']);
    });

    it("have their details and the viewer's permissions", async () => {
      await createZone(person);
      const { body } = await admin.client.get(path).query({ q: person.email }).expect(200);
      expect(body).toEqual([
        {
          id: person.id,
          email: person.email,
          username: person.username,
          firstName: 'Ada',
          lastName: 'Test',
          role: 'user',
          isSuperAdmin: false,
          emailVerified: true,
          state: 'active',
          plan: 'free',
          zoneCount: 1,
          createdAt: expect.any(String),
          deactivatedAt: null,
          can: {
            activate: false,
            deactivate: false,
            changeRole: false,
            changePlan: false,
            changeEmail: false,
            endSessions: true,
            sendReset: true,
            resetFactors: false,
            delete: false,
          },
        },
      ]);
    });

    it('are exported without formulas, which is audited', async () => {
      const { text, headers } = await admin.client.get(`${path}/export`).query({ q: word }).expect(200);
      expect(headers['content-type']).toBe('text/csv; charset=utf-8');
      const lines = text.trim().split('\r\n');
      expect(lines).toHaveLength(5);
      expect(text.startsWith('\ufeffid,email,')).toBe(true);
      expect(lines[0]).toBe('id,email,firstName,lastName,username,role,state,plan,zones,createdAt,deactivatedAt');
      expect(lines[1]).toContain(`'=Elif`);
      expect(lines.at(-1)).toContain(',user,active,creator,0,');
      expect((await listAuditEntriesBy(world, admin)).at(-1)).toMatchObject({
        type: 'admin.list-exported',
        params: { list: 'users' },
        ip_address: expect.stringMatching(/^(127\.0\.0\.1|::1)$/),
      });
    });
  });

  it('are shown with their usage, and deleted ones are not found', async () => {
    const zone = await createZone(superAdmin);
    await joinPublicZone(zone, person);
    const detail = await readUser(person, admin);
    expect(detail).toMatchObject({
      id: person.id,
      language: 'en',
      sessions: 1,
      memberships: 1,
      hasSubscription: false,
      subscribedPlan: 'free',
      grantedPlan: null,
      lastSeenAt: expect.any(String),
    });
    expect(detail.usage.map(({ metric }: { metric: string }) => metric)).toEqual(['zones', 'people', 'bytes', 'mails']);
    expect(JSON.stringify(detail)).not.toMatch(/password|stripe_|digest/i);
    await person.client.delete('/api/user').send({ password: PASSWORD }).expect(204);
    const { body } = await admin.client.get(`${path}/${person.id}`).expect(404);
    expect(body.code).toBe('USER_NOT_FOUND');
    await superAdmin.client.post(`${path}/${person.id}/activate`).expect(404);
  });

  it('are deactivated and activated by super admins, which is audited', async () => {
    const { body } = await superAdmin.client.post(`${path}/${person.id}/deactivate`).expect(200);
    expect(body).toMatchObject({ state: 'deactivated', can: { activate: true, deactivate: false, sendReset: false } });
    await person.client.get('/api/user').expect(401);
    await superAdmin.client.post(`${path}/${person.id}/deactivate`).expect(200);
    await superAdmin.client.post(`${path}/${person.id}/send-reset`).expect(409);
    await world.testApp.em().execute('update users set email_verified = false where id = ?', [person.id]);
    const back = await superAdmin.client.post(`${path}/${person.id}/activate`).expect(200);
    expect(back.body.state).toBe('pending');
    const entries = (await listAuditEntriesBy(world, superAdmin)).filter(({ subject_id }) => subject_id === person.id);
    expect(entries.map(({ type }) => type)).toEqual(['user.deactivated', 'user.activated']);
    const { body: log } = await admin.client.get('/api/admin/audit-log').query({ userId: person.id }).expect(200);
    expect(log[0]).toMatchObject({
      type: 'user.activated',
      actorEmail: superAdmin.email,
      subjectEmail: person.email,
      ipAddress: expect.stringMatching(/^(127\.0\.0\.1|::1)$/),
    });
  });

  it('get roles from super admins, effective at once', async () => {
    await person.client.get(path).expect(403);
    const { body } = await superAdmin.client.patch(`${path}/${person.id}/role`).send({ role: 'admin' }).expect(200);
    expect(body).toMatchObject({ role: 'admin', isSuperAdmin: false });
    await person.client.get(path).expect(200);
    await superAdmin.client.patch(`${path}/${person.id}/role`).send({ isSuperAdmin: true }).expect(200);
    const mails = (await readUser(person)).usage.find(({ metric }: { metric: string }) => metric === 'mails');
    expect(mails.allowed).toBeNull();
    await superAdmin.client.patch(`${path}/${person.id}/role`).send({ role: 'user', isSuperAdmin: false }).expect(200);
    await person.client.get(path).expect(403);
    const changes = (await listAuditEntriesBy(world, superAdmin)).filter(({ subject_id }) => subject_id === person.id);
    expect(changes.map(({ type, params }) => [type, params])).toEqual([
      [
        'user.role-changed',
        { from: { role: 'user', isSuperAdmin: false }, to: { role: 'admin', isSuperAdmin: false } },
      ],
      [
        'user.role-changed',
        { from: { role: 'admin', isSuperAdmin: false }, to: { role: 'admin', isSuperAdmin: true } },
      ],
      ['user.role-changed', { from: { role: 'admin', isSuperAdmin: true }, to: { role: 'user', isSuperAdmin: false } }],
    ]);
    const nothing = await superAdmin.client.patch(`${path}/${person.id}/role`).send({}).expect(400);
    expect(nothing.body).toMatchObject({
      code: 'NOTHING_TO_CHANGE',
      message: "There's nothing to change in this request.",
    });
    await superAdmin.client.patch(`${path}/${person.id}/role`).expect(400);
    for (const dto of [{ role: 'owner' }, { isSuperAdmin: 'yes' }, { role: null }, { plan: 'creator' }]) {
      await superAdmin.client.patch(`${path}/${person.id}/role`).send(dto).expect(400);
    }
  });

  it('are signed out everywhere and sent a password reset by super admins and admins', async () => {
    const otherClient = await signIn(world, person.email);
    const { token } = await createApiToken(person);
    await program(token).get('/api/user').expect(200);
    const { body } = await admin.client.post(`${path}/${person.id}/end-sessions`).expect(200);
    expect(body).toEqual({ ended: 2 });
    for (const client of [person.client, otherClient]) await client.get('/api/user').expect(401);
    await program(token).get('/api/user').expect(401);
    await admin.client.post(`${path}/${person.id}/send-reset`).expect(204);
    const mail = await world.waitForEmail(person.email, ({ text }) => text.includes('/reset-password?token='));
    expect(mail.to).toContain(person.email);
    const entries = (await listAuditEntriesBy(world, admin)).filter(({ subject_id }) => subject_id === person.id);
    expect(entries.map(({ type }) => type)).toEqual(['user.sessions-ended', 'user.reset-sent']);
  });

  it('lose their API tokens on deactivation and do not get them back', async () => {
    const { token } = await createApiToken(person);
    await program(token).get('/api/user').expect(200);
    await superAdmin.client.post(`${path}/${person.id}/deactivate`).expect(200);
    await program(token).get('/api/user').expect(401);
    await superAdmin.client.post(`${path}/${person.id}/activate`).expect(200);
    await program(token).get('/api/user').expect(401);
  });

  it('get plans from super admins', async () => {
    const grant = { plan: 'enterprise', limits: { zones: 3 } };
    await admin.client.patch(`${path}/${person.id}/plan`).send(grant).expect(403);
    await superAdmin.client.patch(`${path}/${person.id}/plan`).send(grant).expect(200);
    expect(await readUser(person)).toMatchObject({ plan: 'enterprise', grantedPlan: 'enterprise' });
  });

  it('are protected by the permission matrix', async () => {
    const other = await registerUser(world);
    const second = await registerUser(world);
    await makeSuperAdmin(world, second);
    const bearer = `Bearer ${(await createApiToken(superAdmin, 'write')).token}`;
    const calls = ['activate', 'deactivate', 'end-sessions', 'send-reset'].map((verb) => ['post', verb] as const);
    const expected: [by: Actor, target: Actor, statuses: number[]][] = [
      [other, person, [403, 403, 403, 403]],
      [admin, person, [403, 403, 200, 204]],
      [admin, admin, [403, 403, 403, 403]],
      [admin, superAdmin, [403, 403, 403, 403]],
      [superAdmin, superAdmin, [403, 403, 403, 403]],
    ];
    for (const [by, target, statuses] of expected) {
      const received: number[] = [];
      for (const [method, verb] of calls)
        received.push((await by.client[method](`${path}/${target.id}/${verb}`)).status);
      expect([by.id, target.id, received]).toEqual([by.id, target.id, statuses]);
    }
    for (const [by, target] of [
      [other, person],
      [admin, person],
      [admin, admin],
      [superAdmin, superAdmin],
    ] as const) {
      await by.client.patch(`${path}/${target.id}/role`).send({ role: 'admin', isSuperAdmin: true }).expect(403);
    }
    await superAdmin.client.get(path).set('Authorization', bearer).expect(403);
    await world.createClient().get(path).expect(401);
    expect((await superAdmin.client.post(`${path}/${superAdmin.id}/deactivate`)).body.code).toBe('OWN_ACCOUNT');
    await superAdmin.client.patch(`${path}/${second.id}/role`).send({ isSuperAdmin: false }).expect(200);
  });

  it('keep one super admin when the last two demote or deactivate each other', async () => {
    const em = world.testApp.em();
    for (const change of ['role', 'deactivate', 'both'] as const) {
      const [one, two] = [await registerUser(world), await registerUser(world)];
      await em.execute('update users set is_super_admin = (id in (?, ?))', [one.id, two.id]);
      const demote = (by: Actor, target: Actor) =>
        by.client.patch(`${path}/${target.id}/role`).send({ isSuperAdmin: false });
      const deactivate = (by: Actor, target: Actor) => by.client.post(`${path}/${target.id}/deactivate`);
      const [first, second] = [change === 'deactivate' ? deactivate : demote, change === 'role' ? demote : deactivate];
      const responses = await Promise.all(Array.from({ length: 25 }, () => [first(one, two), second(two, one)]).flat());
      const successes = responses.filter(({ status }) => status === 200);
      expect(successes.length).toBeGreaterThan(0);
      const others = responses.filter(({ status }) => ![200, 401, 403].includes(status));
      expect(others.map(({ body }) => body)).toEqual([]);
      const left = await em.execute('select id from users where is_super_admin and deactivated_at is null');
      expect([change, left.length]).toEqual([change, 1]);
    }
    await makeSuperAdmin(world, superAdmin);
  });
});
