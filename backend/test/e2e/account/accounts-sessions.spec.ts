import supertest from 'supertest';
import { PASSWORD, registerUser, type Actor } from '../../support/people/actors.js';
import { describeInProcess, World, type Client } from '../../support/world.js';
import { runConcurrently, listAuditTypes, countStatuses, signIn } from '../auth/account-helpers.js';

let world: World;
let ada: Actor;
beforeAll(async () => {
  world = await World.open();
});
beforeEach(async () => {
  ada = await registerUser(world);
});
afterAll(() => world.close());

interface Row {
  id: number;
  current: boolean;
}
const list = async (client: Client): Promise<Row[]> => (await client.get('/api/user/sessions').expect(200)).body;

describe('GET /api/session', () => {
  const session = (client: Client) => client.get('/api/session').expect(200);

  it('returns the signed-in user, or null without an error', async () => {
    const { body: user } = await ada.client.get('/api/user').expect(200);
    expect((await session(ada.client)).body).toEqual({ user });
    expect((await session(world.createClient())).body).toEqual({ user: null });
    await ada.client.post('/api/logout').expect(200);
    expect((await session(ada.client)).body).toEqual({ user: null });
  });
});

describe('Page opened for another account', () => {
  it('is rejected when another user has signed in since', async () => {
    const bora = await registerUser(world);
    const { id } = (await ada.client.get('/api/user').expect(200)).body;
    const as = (account: string) => ({ 'X-Account': account });
    await ada.client
      .get('/api/zones')
      .set(as(String(id)))
      .expect(200);
    for (const account of [String(id), '', 'x', '0']) {
      const rejected = await bora.client.post('/api/zones').set(as(account)).send({ name: 'Hers', type: 'private' });
      expect([account, rejected.status, rejected.body.code]).toEqual([account, 409, 'ACCOUNT_CHANGED']);
      await bora.client.get('/api/zones').set(as(account)).expect(409);
    }
    expect((await bora.client.get('/api/zones').expect(200)).body).toEqual([]);
    // The session endpoint ignores the page's account header.
    expect(
      (
        await bora.client
          .get('/api/session')
          .set(as(String(id)))
          .expect(200)
      ).body.user.email,
    ).toBe(bora.email);
    await world
      .createClient()
      .get('/api/zones')
      .set(as(String(id)))
      .expect(401);
  });
});

describe('Sessions of a user', () => {
  it('are listed with the device and a mark for the current one', async () => {
    const phone = world.createClient();
    await phone.post('/api/login').set('User-Agent', 'A phone').send({ email: ada.email, password: PASSWORD });
    const rows = await list(phone);
    expect(rows).toHaveLength(2);
    expect(rows.filter(({ current }) => current)).toMatchObject([
      {
        id: expect.any(Number),
        userAgent: 'A phone',
        ipAddress: expect.stringContaining('127.0.0.1'),
        createdAt: expect.any(String),
        lastSeenAt: expect.any(String),
        expiresAt: expect.any(String),
      },
    ]);
    const [mine] = (await list(ada.client)).filter(({ current }) => current);
    expect(rows.find(({ id }) => id === mine!.id)?.current).toBe(false);
    expect(Object.keys(rows[0]!)).not.toContain('sid');
  });

  it('are paginated', async () => {
    await signIn(world, ada.email);
    await signIn(world, ada.email);
    const ids = (await list(ada.client)).map(({ id }) => id);
    const first = await ada.client.get('/api/user/sessions?limit=2').expect(200);
    expect(first.headers['x-total-count']).toBe('3');
    const next = /<([^>]+)>; rel="next"/.exec(first.headers.link!)![1]!;
    const second = await ada.client.get(next).expect(200);
    expect([...first.body, ...second.body].map(({ id }: Row) => id)).toEqual(ids);
  });

  it('end on signing out everywhere except the current one, and the user is notified', async () => {
    const [phone, tablet] = [await signIn(world, ada.email), await signIn(world, ada.email)];
    await phone.delete('/api/user/sessions').expect(204);
    await phone.get('/api/user').expect(200);
    for (const client of [tablet, ada.client]) await client.get('/api/user').expect(401);
    const mail = await world.waitForEmail(ada.email, ({ subject }) => /signed out everywhere/.test(subject));
    expect(mail.text).toContain('/forgot-password');
  });

  it('do not end, and send no email, when there is only the current one', async () => {
    await ada.client.delete('/api/user/sessions').expect(204);
    await ada.client.get('/api/user').expect(200);
    const other = await registerUser(world);
    await signIn(world, other.email).then((client) => client.delete('/api/user/sessions').expect(204));
    await world.waitForEmail(other.email, ({ subject }) => /signed out everywhere/.test(subject));
    const notifications = (await world.listEmails(ada.email)).filter(({ subject }) =>
      /signed out everywhere/.test(subject),
    );
    expect(notifications).toEqual([]);
  });

  it('can be ended one by one, including the current one', async () => {
    const phone = await signIn(world, ada.email);
    const rows = await list(phone);
    const [mine, other] = [rows.find(({ current }) => current)!, rows.find(({ current }) => !current)!];
    await phone.delete(`/api/user/sessions/${other.id}`).expect(204);
    await ada.client.get('/api/user').expect(401);
    expect((await phone.delete(`/api/user/sessions/${other.id}`).expect(404)).body.code).toBe('SESSION_NOT_FOUND');
    const response = await phone.delete(`/api/user/sessions/${mine.id}`).expect(204);
    expect(response.headers['set-cookie']?.[0]).toMatch(/zonary_session=;/);
    await phone.get('/api/user').expect(401);
  });

  it('leave the cookie of the browser unchanged when they have ended', async () => {
    const phone = await signIn(world, ada.email);
    const [mine] = (await list(phone)).filter(({ current }) => current);
    await ada.client.delete(`/api/user/sessions/${mine!.id}`).expect(204);
    for (const late of [await phone.get('/api/session'), await phone.get('/api/user'), await phone.get('/api/plans')]) {
      expect(late.headers['set-cookie']).toBeUndefined();
    }
  });

  it('are not found for other users', async () => {
    const other = await registerUser(world);
    const [theirs] = await list(other.client);
    await ada.client.delete(`/api/user/sessions/${theirs!.id}`).expect(404);
    await other.client.get('/api/user').expect(200);
    await ada.client.delete('/api/user/sessions/x').expect(404);
    await ada.client.delete('/api/user/sessions/0').expect(404);
  });
});

describe('Session ID', () => {
  const cookieOf = (response: { headers: Record<string, unknown> }) =>
    /zonary_session=[\w-]+/.exec(String(response.headers['set-cookie']))?.[0] ?? null;

  it('is replaced on sign-in, even if an attacker planted a valid one', async () => {
    const eve = await registerUser(world);
    const planted = cookieOf(await eve.client.post('/api/login').send({ email: eve.email, password: PASSWORD }))!;
    const victim = await world
      .createClient()
      .post('/api/login')
      .set('Cookie', planted)
      .send({ email: ada.email, password: PASSWORD })
      .expect(200);
    expect(cookieOf(victim)).not.toBe(planted);
    await world.createClient().get('/api/user').set('Cookie', planted).expect(401);
  });

  it('changes with the password, and the old one is rejected', async () => {
    const before = cookieOf(await ada.client.post('/api/login').send({ email: ada.email, password: PASSWORD }))!;
    const form = { email: ada.email, currentPassword: PASSWORD, newPassword: 'another good one' };
    const after = cookieOf(await ada.client.post('/api/change-password').send(form).expect(200))!;
    expect(after).not.toBe(before);
    await world.createClient().get('/api/user').set('Cookie', before).expect(401);
    await world.createClient().get('/api/user').set('Cookie', after).expect(200);
  });

  it('is rejected in every tab after signing out in one', async () => {
    const response = await ada.client.post('/api/login').send({ email: ada.email, password: PASSWORD });
    const tab = () => world.createClient().get('/api/user').set('Cookie', cookieOf(response)!);
    await tab().expect(200);
    await ada.client.post('/api/logout').expect(200);
    await tab().expect(401);
  });

  it('is ignored in the cookie of a cross-site request', async () => {
    const cookie = cookieOf(await ada.client.post('/api/login').send({ email: ada.email, password: PASSWORD }))!;
    const sendCrossSite = (headers: Record<string, string>) =>
      supertest(world.url)
        .delete('/api/user/sessions')
        .set({ Cookie: cookie, ...headers });
    for (const headers of [
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site' },
      { Origin: 'https://evil.example' },
      { Origin: 'null' },
      {} as Record<string, string>,
    ]) {
      expect((await sendCrossSite(headers).expect(403)).body.code).toBe('CROSS_SITE');
    }
    await sendCrossSite({ 'Sec-Fetch-Site': 'same-origin' }).expect(204);
    const text = supertest(world.url).post('/api/change-password').set('Cookie', cookie);
    await text.set('Sec-Fetch-Site', 'cross-site').type('text/plain').send('{"email":"x"}').expect(403);
  });
});

describeInProcess('Session lifetime', () => {
  const DAY = 86_400_000;
  const HOUR = DAY / 24;
  const after = async (client: Client, time: number) => {
    world.testApp.clock.advance(time);
    return (await client.get('/api/user')).status;
  };

  it('ends 30 days after the last use and 90 days after the start', async () => {
    expect(await after(ada.client, 30 * DAY - HOUR)).toBe(200);
    expect(await after(ada.client, 30 * DAY - HOUR)).toBe(200);
    expect(await after(ada.client, 30 * DAY - HOUR)).toBe(200);
    const [row] = (await ada.client.get('/api/user/sessions').expect(200)).body;
    expect(Date.parse(row.expiresAt) - Date.parse(row.createdAt)).toBe(90 * DAY);
    expect(await after(ada.client, 4 * HOUR)).toBe(401);
    const eve = await signIn(world, ada.email);
    expect(await after(eve, 30 * DAY + HOUR)).toBe(401);
  });

  it('ends after 90 days even if a later end was stored', async () => {
    await world.testApp
      .em()
      .execute(`update sessions set expire = expire + interval '1 year' where user_id = ?`, [ada.id]);
    expect(await after(ada.client, 90 * DAY - HOUR)).toBe(200);
    expect(await after(ada.client, 2 * HOUR)).toBe(401);
  });

  it.each(['role', 'flag'])('ends 12 hours after the last use for an admin by %s', async (by) => {
    const set = by === 'role' ? `role = 'admin'` : 'is_super_admin = true';
    await world.testApp.em().execute(`update users set ${set} where id = ?`, [ada.id]);
    const idle = await signIn(world, ada.email);
    expect(await after(ada.client, 11 * HOUR)).toBe(200);
    expect(await after(ada.client, 11 * HOUR)).toBe(200);
    const rows = await list(ada.client);
    expect(rows).toHaveLength(1);
    expect(await after(idle, 0)).toBe(401);
    expect(await after(ada.client, 12 * HOUR + 1)).toBe(401);
  });

  it('is enforced by the server, and the cookie lasts 90 days', async () => {
    const { headers } = await world.createClient().post('/api/login').send({ email: ada.email, password: PASSWORD });
    expect(String(headers['set-cookie'])).toContain(`Max-Age=${(90 * DAY) / 1000};`);
  });
});

describeInProcess('Sign-in during a password change', () => {
  it('leaves no session of the old password', async () => {
    for (let round = 0; round < 3; round++) {
      const person = await registerUser(world);
      const form = { email: person.email, currentPassword: PASSWORD, newPassword: `new in round ${round}` };
      const [change, ...logins] = await Promise.all([
        person.client.post('/api/change-password').send(form),
        ...Array.from({ length: 10 }, () =>
          world.createClient().post('/api/login').send({ email: person.email, password: PASSWORD }),
        ),
      ]);
      expect(change.status).toBe(200);
      expect(Object.keys(countStatuses(logins)).every((status) => ['200', '401'].includes(status))).toBe(true);
      expect(await list(person.client)).toHaveLength(1);
    }
  });

  it('audits every ended session', async () => {
    const phone = await signIn(world, ada.email);
    const [other] = (await list(phone)).filter(({ current }) => !current);
    await phone.delete(`/api/user/sessions/${other!.id}`).expect(204);
    await signIn(world, ada.email);
    await runConcurrently(5, () => phone.delete('/api/user/sessions'));
    const types = await listAuditTypes(world, ada.id);
    expect(types.filter((type) => type === 'user.session-ended')).toHaveLength(1);
    expect(types.filter((type) => type === 'user.sessions-ended')).toHaveLength(1);
  });
});
