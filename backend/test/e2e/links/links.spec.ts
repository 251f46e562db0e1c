import {
  type Actor,
  reauthenticateByEmail,
  createZone,
  PASSWORD,
  registerUser,
  type TestZone,
  uniqueName,
} from '../../support/people/actors.js';
import { waitForVerificationLink } from '../../support/people/restricted-user.js';
import { describeInProcess, World, type Client } from '../../support/world.js';

let world: World;
beforeAll(async () => {
  world = await World.open();
});
afterAll(() => world.close());

interface Stage {
  owner: Actor;
  zone: TestZone;
  joinPath: string;
}

async function stage(options: Parameters<typeof createZone>[1] = {}): Promise<Stage> {
  const owner = await registerUser(world, { firstName: 'Grace' });
  const zone = await createZone(owner, options);
  return { owner, zone, joinPath: `/api/public-zones/${zone.publicLink}/join` };
}

async function requestJoin({ joinPath }: Stage, email: string): Promise<{ token: string; join: string }> {
  const { body } = await world.createClient().post(joinPath).send({ email, emailConsent: true }).expect(200);
  expect(body).toMatchObject({ requiresVerification: true, redirectUrl: null });
  return waitForVerificationLink(world, email);
}

const memberCount = async ({ owner, zone }: Stage) =>
  (await owner.client.get(`/api/zones/${zone.id}`).expect(200)).body.memberCount as number;

describe('GET /api/public-zones/:link', () => {
  it('shows the zone and its owner to everyone', async () => {
    const { zone } = await stage({ name: 'Lectures' });
    const { body } = await world.createClient().get(`/api/public-zones/${zone.publicLink}`).expect(200);
    expect(body).toEqual({
      name: 'Lectures',
      description: '',
      fileCount: 0,
      memberCount: 0,
      firstFiles: [],
      moreFiles: 0,
      owner: { firstName: 'Grace', lastName: 'Test' },
      autoJoin: true,
      requiresEmailOptin: true,
      consentText: expect.stringContaining('I agree'),
    });
  });

  it('returns 404 for an unknown link', async () => {
    const { body } = await world.createClient().get('/api/public-zones/no-such-link').expect(404);
    expect(body.code).toBe('LINK_NOT_FOUND');
    await world
      .createClient()
      .post('/api/public-zones/no-such-link/join')
      .send({ email: 'a@b.co', emailConsent: true })
      .expect(404);
  });
});

describe('Joining as a new user', () => {
  it('requires the emailed link and a button press; writing requires a profile', async () => {
    const at = await stage();
    const email = `${uniqueName('member')}@example.com`;
    const link = await requestJoin(at, email);
    const client = world.createClient();

    const look = await client.get('/api/verify-email').query(link).expect(200);
    expect(look.body).toMatchObject({ success: true, email, zoneName: at.zone.name, redirectUrl: null });
    expect(await memberCount(at)).toBe(0);

    const verification = await client.post('/api/verify-email').send(link).expect(200);
    expect(verification.body).toMatchObject({ success: true, redirectUrl: `/zones/${at.zone.id}` });
    expect(await memberCount(at)).toBe(1);

    const me = await client.get('/api/user').expect(200);
    expect(me.body).toMatchObject({ email, needsProfileCompletion: true, emailVerified: true });
    expect(me.body).toMatchObject({ isReader: true });
    await client.get(`/api/zones/${at.zone.id}`).expect(200);
    expect((await client.get(`/api/zones/${at.zone.id}/files`).expect(200)).body).toEqual([]);
    for (const [path, body] of [
      ['/api/zones', { name: 'Mine', type: 'private' }],
      [
        '/api/feature-suggestions',
        { title: 'A wish', description: 'It would help everybody here.', category: 'feature' },
      ],
    ] as const) {
      expect((await client.post(path).send(body).expect(403)).body.code).toBe('PROFILE_INCOMPLETE');
    }

    await completeProfile(client, email);
    const shared = await client.get('/api/shared-zones').expect(200);
    expect(shared.body.map(({ id }: TestZone) => id)).toEqual([at.zone.id]);
  });

  it('is not completed by a scanner that opens the link', async () => {
    const at = await stage();
    const email = `${uniqueName('scanned')}@example.com`;
    const link = await requestJoin(at, email);
    for (let count = 0; count < 3; count++) await world.createClient().get('/api/verify-email').query(link).expect(200);
    expect(await memberCount(at)).toBe(0);
    await world.createClient().post('/api/verify-email').send(link).expect(200);
    expect(await memberCount(at)).toBe(1);
  });

  it('counts once in two tabs, and a repeated click opens no session', async () => {
    const at = await stage();
    const email = `${uniqueName('tabs')}@example.com`;
    const link = await requestJoin(at, email);
    const responses = await Promise.all([1, 2, 3].map(() => world.createClient().post('/api/verify-email').send(link)));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(responses.filter(({ headers }) => headers['set-cookie'])).toHaveLength(1);
    expect(await memberCount(at)).toBe(1);
    const late = await world.createClient().post('/api/verify-email').send(link).expect(200);
    expect(late.headers['set-cookie']).toBeUndefined();
  });

  it('shows a used link only while its person belongs to the zone', async () => {
    const at = await stage();
    const link = await requestJoin(at, `${uniqueName('used')}@example.com`);
    const client = world.createClient();
    await client.post('/api/verify-email').send(link).expect(200);
    const { body: member } = await client.get('/api/user').expect(200);
    const repeated = await world.createClient().get('/api/verify-email').query(link).expect(200);
    expect(repeated.body).toMatchObject({ success: true, zoneName: at.zone.name });
    await at.owner.client.delete(`/api/zones/${at.zone.id}/members/${member.id}`).expect(204);
    for (const method of ['get', 'post'] as const) {
      const response = await world.createClient()[method]('/api/verify-email').query(link).send(link);
      expect([response.status, response.body.code]).toEqual([400, 'TOKEN_INVALID']);
    }
    expect(await memberCount(at)).toBe(0);
  });

  it('can be resumed by a new link when the profile is incomplete', async () => {
    const at = await stage();
    const email = `${uniqueName('back')}@example.com`;
    await world
      .createClient()
      .post('/api/verify-email')
      .send(await requestJoin(at, email))
      .expect(200);
    const client = world.createClient();
    await client
      .post('/api/verify-email')
      .send(await requestJoin(at, email))
      .expect(200);
    await completeProfile(client, email);
    expect(await memberCount(at)).toBe(1);
  });

  it('does not allow completing the profile of another address or twice', async () => {
    const at = await stage();
    const email = `${uniqueName('mine')}@example.com`;
    const client = world.createClient();
    await client
      .post('/api/verify-email')
      .send(await requestJoin(at, email))
      .expect(200);
    const other = await client.post('/api/complete-profile').send(profile(at.owner.email));
    expect([other.status, other.body.code]).toEqual([403, 'EMAIL_MISMATCH']);
    await completeProfile(client, email);
    const again = await client.post('/api/complete-profile').send(profile(email));
    expect([again.status, again.body.code]).toEqual([409, 'PROFILE_COMPLETE']);
    await world.createClient().post('/api/complete-profile').send(profile(email)).expect(401);
  });

  it('rejects forged links and links whose parts do not match', async () => {
    const at = await stage();
    const [a, b] = [`${uniqueName('a')}@example.com`, `${uniqueName('b')}@example.com`];
    const [first, second] = [await requestJoin(at, a), await requestJoin(at, b)];
    const mixed = { token: first.token, join: second.join };
    for (const link of [mixed, { token: 'made-up', join: first.join }, { token: first.token, join: 'made-up' }]) {
      expect((await world.createClient().post('/api/verify-email').send(link).expect(400)).body.code).toBe(
        'TOKEN_INVALID',
      );
      await world.createClient().get('/api/verify-email').query(link).expect(400);
    }
    const none = await world.createClient().get('/api/verify-email').expect(400);
    expect(none.body.errors.token).toEqual(['Invalid verification link - no token provided']);
    expect(await memberCount(at)).toBe(0);
  });
});

describe('Joining as an existing user', () => {
  it('takes effect at once when signed in and records the consent', async () => {
    const at = await stage();
    const member = await registerUser(world);
    const response = await member.client
      .post(at.joinPath)
      .send({ email: member.email, emailConsent: true })
      .expect(200);
    expect(response.body).toMatchObject({ requiresVerification: false, redirectUrl: `/zones/${at.zone.id}` });
    expect(await memberCount(at)).toBe(1);
    const again = await member.client.post(at.joinPath).send({ email: member.email, emailConsent: true }).expect(409);
    expect(again.body).toMatchObject({ code: 'ALREADY_MEMBER', message: 'You are already a member of this zone.' });
  });

  it('requires an email when signed in under another address and opens no session', async () => {
    const at = await stage();
    const member = await registerUser(world);
    const link = await requestJoin(at, member.email);
    const client = world.createClient();
    const verification = await client.post('/api/verify-email').send(link).expect(200);
    expect(verification.headers['set-cookie']).toBeUndefined();
    expect(verification.body.redirectUrl).toMatch(/^\/auth\?/);
    expect((await member.client.get('/api/shared-zones')).body).toHaveLength(1);
  });

  it('returns the same response for known, unknown and member addresses', async () => {
    const at = await stage();
    const member = await registerUser(world);
    await member.client.post(at.joinPath).send({ email: member.email, emailConsent: true }).expect(200);
    const known = await registerUser(world);
    const emails = [member.email, known.email, `${uniqueName('none')}@example.com`];
    const responses = await Promise.all(
      emails.map((email) => world.createClient().post(at.joinPath).send({ email, emailConsent: true })),
    );
    const comparable = { ...responses[0]!.body, handle: expect.any(String) };
    for (const { status, body } of responses) expect([status, body]).toEqual([200, comparable]);
  });

  it('creates one membership for 50 concurrent joins, and none for the owner', async () => {
    const at = await stage();
    const member = await registerUser(world);
    const responses = await Promise.all(
      Array.from({ length: 50 }, () =>
        member.client.post(at.joinPath).send({ email: member.email, emailConsent: true }),
      ),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(responses.filter(({ status }) => status === 409)).toHaveLength(49);
    expect(await memberCount(at)).toBe(1);
    await at.owner.client.post(at.joinPath).send({ email: at.owner.email, emailConsent: true }).expect(409);
    expect(await memberCount(at)).toBe(1);
  });
});

describe('Consent on joining', () => {
  const sentence = 'You must agree to receive all zone emails to join. Zone owners cannot send partial emails.';

  it('is required unless the zone is configured otherwise', async () => {
    const strict = await stage();
    const email = `${uniqueName('no')}@example.com`;
    const rejected = await world.createClient().post(strict.joinPath).send({ email, emailConsent: false }).expect(400);
    expect(rejected.body).toMatchObject({ code: 'CONSENT_REQUIRED', message: sentence });
    const easy = await stage({ requiresEmailOptin: false });
    await world.createClient().post(easy.joinPath).send({ email, emailConsent: false }).expect(200);
    await world.createClient().post(easy.joinPath).send({ email }).expect(400);
  });
});

describeInProcess('Records of joining', () => {
  it("include the consent with its text and the owner's audience", async () => {
    const at = await stage();
    const member = await registerUser(world);
    await member.client.post(at.joinPath).send({ email: member.email, emailConsent: true }).expect(200);
    const em = world.testApp.em();
    const consents = await em.execute('select * from email_consents where user_id = ?', [member.id]);
    expect(consents).toMatchObject([
      { consent_method: 'public_link', consent_text: expect.stringContaining('I agree') },
    ]);
    const audience = await em.execute('select * from audience where owner_id = ?', [at.owner.id]);
    expect(audience).toMatchObject([{ email_key: member.email, zones: 1, pending: 0 }]);
    const usage = await em.execute<{ used: unknown }[]>(
      `select used from usage where owner_id = ? and metric = 'people'`,
      [at.owner.id],
    );
    expect(usage.map(({ used }) => Number(used))).toEqual([1]);
  });

  it('spare the link when the zone is full, and the owner is notified once', async () => {
    const at = await stage();
    const em = world.testApp.em();
    await em.execute(`insert into usage (owner_id, metric, period, used, allowed) values (?, 'people', '', 100, 100)`, [
      at.owner.id,
    ]);
    const [a, b] = [await registerUser(world), `${uniqueName('late')}@example.com`];
    const rejected = await a.client.post(at.joinPath).send({ email: a.email, emailConsent: true }).expect(403);
    expect(rejected.body.code).toBe('ZONE_FULL');
    expect(rejected.body).not.toHaveProperty('allowed');
    const link = await requestJoin(at, b);
    await world.createClient().post('/api/verify-email').send(link).expect(403);
    expect(await memberCount(at)).toBe(0);
    await world.waitForEmail(at.owner.email, ({ subject }) => /couldn't join/.test(subject));
    const notifications = (await world.listEmails(at.owner.email)).filter(({ subject }) =>
      /couldn't join/.test(subject),
    );
    expect(notifications).toHaveLength(1);
    await em.execute(`update usage set allowed = 101 where owner_id = ? and metric = 'people'`, [at.owner.id]);
    await world.createClient().post('/api/verify-email').send(link).expect(200);
    expect(await memberCount(at)).toBe(1);
  });

  it('expire an unused link after 24 hours', async () => {
    const at = await stage();
    const link = await requestJoin(at, `${uniqueName('slow')}@example.com`);
    world.testApp.clock.advance(86_400_000 + 1000);
    await world.createClient().post('/api/verify-email').send(link).expect(400);
  });

  it('contain no secret of a link', async () => {
    const at = await stage();
    const { token, join } = await requestJoin(at, `${uniqueName('kept')}@example.com`);
    const rows = await world.testApp.em().execute(
      `select digest as value from single_use_tokens union all select digest from pending_joins
       union all select payload::text from jobs`,
    );
    for (const { value } of rows as { value: string | null }[]) {
      expect(value).not.toContain(token);
      expect(value).not.toContain(join);
    }
  });
});

const profile = (email: string) => ({
  email,
  firstName: 'New',
  lastName: 'Reader',
  username: uniqueName('member'),
  newPassword: PASSWORD,
});

async function completeProfile(client: Client, email: string): Promise<void> {
  await reauthenticateByEmail(world, client, email);
  const { body } = await client.post('/api/complete-profile').send(profile(email)).expect(200);
  expect(body).toMatchObject({ email, needsProfileCompletion: false });
}
