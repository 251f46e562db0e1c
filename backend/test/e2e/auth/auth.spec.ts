import { waitForCode, PASSWORD, registerUser, uniqueName } from '../../support/people/actors.js';
import { describeInProcess, World } from '../../support/world.js';

let world: World;
beforeAll(async () => {
  world = await World.open();
});
afterAll(() => world.close());

const form = (email: string, verificationCode: string, more: Record<string, unknown> = {}) => ({
  email,
  password: PASSWORD,
  firstName: 'Ada',
  lastName: 'Lovelace',
  username: uniqueName('ada'),
  verificationCode,
  ...more,
});

async function requestCode(email: string): Promise<string> {
  await world.createClient().post('/api/send-verification').send({ email }).expect(200);
  return waitForCode(world, email);
}

describe('POST /api/register', () => {
  it('creates an account with the emailed code and signs in', async () => {
    const client = world.createClient();
    const email = `${uniqueName('new')}@example.com`;
    await client
      .post('/api/send-verification')
      .send({ email: ` ${email.toUpperCase()} ` })
      .expect(200);
    const code = await waitForCode(world, email);
    const { body } = await client
      .post('/api/register')
      .send(form(email, code, { username: 'Ada_L1' }))
      .expect(201);
    expect(body).toMatchObject({
      email,
      firstName: 'Ada',
      username: 'ada_l1',
      plan: 'free',
      needsProfileCompletion: false,
    });
    expect(body).not.toHaveProperty('password');
    const me = await client.get('/api/user').expect(200);
    expect(me.body).toMatchObject({ id: body.id, email, zoneCount: 0, emailVerified: true });
  });

  it('rejects a second use of a code', async () => {
    const email = `${uniqueName('once')}@example.com`;
    const code = await requestCode(email);
    await world.createClient().post('/api/register').send(form(email, code)).expect(201);
    const secondUse = await world.createClient().post('/api/register').send(form(email, code)).expect(400);
    expect(secondUse.body.code).toBe('CODE_INVALID');
  });

  it('accepts a code after another requester has asked for a new one', async () => {
    const email = `${uniqueName('newer')}@example.com`;
    const first = await requestCode(email);
    await world.createClient().post('/api/send-verification').send({ email }).expect(200);
    await world.waitForEmail(email, ({ text }) => /\b\d{6}\b/.test(text) && !text.includes(first));
    await world.createClient().post('/api/register').send(form(email, first)).expect(201);
  });

  it('rejects the correct code after five wrong attempts, even when they are concurrent', async () => {
    const email = `${uniqueName('guess')}@example.com`;
    const code = await requestCode(email);
    const wrong = code === '000000' ? '000001' : '000000';
    const tries = Array.from({ length: 5 }, () => world.createClient().post('/api/register').send(form(email, wrong)));
    for (const { status } of await Promise.all(tries)) expect(status).toBe(400);
    const right = await world.createClient().post('/api/register').send(form(email, code)).expect(400);
    expect(right.body.code).toBe('CODE_INVALID');
  });

  it('keeps the code valid when only the username was taken', async () => {
    const { username } = await registerUser(world);
    const email = `${uniqueName('second')}@example.com`;
    const code = await requestCode(email);
    const conflict = await world
      .createClient()
      .post('/api/register')
      .send(form(email, code, { username: username.toUpperCase() }));
    expect(conflict.status).toBe(409);
    expect(conflict.body.code).toBe('USERNAME_TAKEN');
    await world.createClient().post('/api/register').send(form(email, code)).expect(201);
  });

  it('gives a username to exactly one of 20 concurrent registrations', async () => {
    const username = uniqueName('race');
    const emails = Array.from({ length: 20 }, (_, index) => `${uniqueName(`race${index}`)}@example.com`);
    const codes: string[] = [];
    for (const email of emails) codes.push(await requestCode(email));
    const responses = await Promise.all(
      emails.map((email, index) =>
        world
          .createClient()
          .post('/api/register')
          .send(form(email, codes[index]!, { username })),
      ),
    );
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(responses.filter(({ status, body }) => status === 409 && body.code === 'USERNAME_TAKEN')).toHaveLength(19);
  });

  it('creates one account for 20 concurrent registrations of one address in different case', async () => {
    const email = `${uniqueName('same')}@example.com`;
    const code = await requestCode(email);
    const spellings = Array.from({ length: 20 }, (_, index) => (index % 2 ? email.toUpperCase() : email));
    const responses = await Promise.all(
      spellings.map((spelling) => world.createClient().post('/api/register').send(form(spelling, code))),
    );
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(responses.every(({ status }) => status === 201 || status === 400)).toBe(true);
  });

  it('responds the same for known and unknown addresses and sends the owner no code', async () => {
    const { email } = await registerUser(world);
    const known = await world.createClient().post('/api/send-verification').send({ email });
    const unknown = await world
      .createClient()
      .post('/api/send-verification')
      .send({ email: `${uniqueName('no')}@example.com` });
    expect([known.status, known.body]).toEqual([unknown.status, unknown.body]);
    const mail = await world.waitForEmail(email, ({ subject }) => /already/.test(subject));
    expect(mail.text).toContain('/auth?mode=login');
  });

  it.each([
    ['no address', { email: '' }, 'email', 'Email is required'],
    ['an invalid address', { email: 'not an address' }, 'email', 'Please enter a valid email address'],
    ['an address with quotes', { email: '"a b"@example.com' }, 'email', 'Please enter a valid email address'],
    ['a short password', { password: 'short12' }, 'password', 'Password must be at least 8 characters'],
    ['no first name', { firstName: '  ' }, 'firstName', 'First name is required'],
    ['no last name', { lastName: undefined }, 'lastName', 'Last name is required'],
    ['a short username', { username: 'ab' }, 'username', 'Username must be at least 3 characters'],
    ['a long username', { username: 'a'.repeat(31) }, 'username', 'Username cannot exceed 30 characters'],
    [
      'a dash in the username',
      { username: 'a-b-c' },
      'username',
      'Username can only contain letters, numbers, and underscores',
    ],
    ['letters in the code', { verificationCode: 'abcdef' }, 'verificationCode', 'Verification code must be 6 digits'],
    ['an unknown field', { isSuperAdmin: true }, 'isSuperAdmin', 'Unknown field.'],
    ['a number for a name', { firstName: 7 }, 'firstName', 'First name is required'],
    ['a NUL byte', { firstName: 'A\0da' }, 'firstName', "This text contains a character that can't be stored."],
  ])('rejects %s', async (_case, change, field, sentence) => {
    const response = await world
      .createClient()
      .post('/api/register')
      .send(form('x@example.com', '123456', change))
      .expect(400);
    expect(response.body.code).toBe('VALIDATION_FAILED');
    expect(response.body.errors[field]).toEqual([sentence]);
  });

  it('returns Turkish messages when Turkish is requested', async () => {
    const response = await world.createClient().post('/api/register').set('Accept-Language', 'tr').send({}).expect(400);
    expect(response.body.errors.email).toEqual(['E-posta zorunludur']);
    expect(response.body.message).toBe('Bazı alanları gözden geçirin.');
  });
});

describe('POST /api/login', () => {
  it('issues a new session ID each time, and signing out ends the session', async () => {
    const { email, password, client } = await registerUser(world);
    const before = cookieOf(await client.get('/api/user'));
    const response = await client.post('/api/login').send({ email: email.toUpperCase(), password }).expect(200);
    expect(cookieOf(response)).not.toBe(before);
    expect(response.headers['set-cookie']?.[0]).toMatch(/HttpOnly; SameSite=Lax/);
    const stolen = String(response.headers['set-cookie']?.[0]).split(';')[0]!;
    await client.post('/api/logout').expect(200);
    await client.get('/api/user').expect(401);
    await world.createClient().get('/api/user').set('Cookie', stolen).expect(401);
  });

  it('ignores a session ID planted by the request', async () => {
    const { email, password } = await registerUser(world);
    const planted = 'zonary_session=planted-by-somebody-else-0123456789';
    const response = await world
      .createClient()
      .post('/api/login')
      .set('Cookie', planted)
      .send({ email, password })
      .expect(200);
    expect(String(response.headers['set-cookie'])).not.toContain('planted');
    await world.createClient().get('/api/user').set('Cookie', planted).expect(401);
  });

  it('returns the same error for a wrong password and an unknown address', async () => {
    const { email } = await registerUser(world);
    const wrong = await world.createClient().post('/api/login').send({ email, password: 'not the one' }).expect(401);
    const unknown = await world
      .createClient()
      .post('/api/login')
      .send({ email: 'nobody@example.com', password: 'not the one' });
    expect(wrong.body).toMatchObject({ code: 'INVALID_CREDENTIALS', message: 'Invalid email or password' });
    expect({ ...unknown.body, requestId: '' }).toEqual({ ...wrong.body, requestId: '' });
  });

  it.each([
    [{ email: '', password: 'long enough' }, 'email', 'Email is required'],
    [{ email: 'a@b.co', password: 'short' }, 'password', 'Password must be at least 6 characters'],
    [{ email: 'a@b.co' }, 'password', 'Password must be at least 6 characters'],
    [{ email: { $ne: 1 }, password: 'long enough' }, 'email', 'Email is required'],
  ])('rejects %j', async (body, field, sentence) => {
    const response = await world.createClient().post('/api/login').send(body).expect(400);
    expect(response.body.errors[field]).toEqual([sentence]);
  });
});

describe('GET /api/check-username', () => {
  it('reports names as available, taken or invalid', async () => {
    const { username } = await registerUser(world);
    const check = async (name: string) =>
      (await world.createClient().get(`/api/check-username/${name}`).expect(200)).body;
    expect(await check(uniqueName('free'))).toEqual({ available: true, message: 'Username is available' });
    expect(await check(username.toUpperCase())).toEqual({
      available: false,
      message: 'This username is already taken',
    });
    expect(await check('Admin')).toEqual({
      available: false,
      message: 'This username is reserved. Please choose another one.',
    });
    expect(await check('ab')).toMatchObject({ available: false });
    expect(await check('a%20b%20c')).toMatchObject({ available: false });
  });
});

describeInProcess('Expiry and storage of codes and sessions', () => {
  it('expires a code after 10 minutes', async () => {
    const email = `${uniqueName('late')}@example.com`;
    const code = await requestCode(email);
    world.testApp.clock.advance(10 * 60_000 + 1);
    await world.createClient().post('/api/register').send(form(email, code)).expect(400);
  });

  it('expires a session 30 days after its last use', async () => {
    const { client } = await registerUser(world);
    world.testApp.clock.advance(29 * 86_400_000);
    await client.get('/api/user').expect(200);
    world.testApp.clock.advance(29 * 86_400_000);
    await client.get('/api/user').expect(200);
    world.testApp.clock.advance(30 * 86_400_000 + 1);
    await client.get('/api/user').expect(401);
  });

  it('stores codes and session IDs only as hashes', async () => {
    const { email, client } = await registerUser(world);
    const code = await requestCode(`${uniqueName('digest')}@example.com`);
    const cookie = cookieOf(await client.post('/api/login').send({ email, password: PASSWORD })).split('=')[1]!;
    expect(cookie).toMatch(/^.{40,}$/);
    const rows = await world.testApp.em().execute(
      `select sid as value from sessions union all select code from email_verifications
       union all select payload::text from jobs union all select digest from single_use_tokens`,
    );
    for (const { value } of rows as { value: string }[]) {
      expect(value).not.toContain(code);
      expect(value).not.toContain(cookie);
    }
  });
});

describeInProcess('Sign-in rate limits', () => {
  let limited: World;
  beforeAll(async () => {
    limited = await World.open({ RATE_LIMIT: 'on' });
  });
  afterAll(() => limited.close());

  it('allows 10 sign-in attempts per account in 15 minutes and sends Retry-After', async () => {
    const { email } = await registerUser(limited);
    const attempt = (password: string) => limited.createClient().post('/api/login').send({ email, password });
    for (let count = 0; count < 10; count++) await attempt('not the one').expect(401);
    const rejected = await attempt(PASSWORD).expect(429);
    expect(rejected.body.code).toBe('TOO_MANY_REQUESTS');
    expect(Number(rejected.headers['retry-after'])).toBeGreaterThan(800);
    limited.testApp.clock.advance(15 * 60_000 + 1);
    await attempt(PASSWORD).expect(200);
  });

  it('allows 5 codes per hour and address', async () => {
    const email = `${uniqueName('many')}@example.com`;
    const requestVerificationCode = () => limited.createClient().post('/api/send-verification').send({ email });
    for (let count = 0; count < 5; count++) await requestVerificationCode().expect(200);
    await requestVerificationCode().expect(429);
  });
});

function cookieOf(response: { headers: Record<string, string> }): string {
  return String(response.headers['set-cookie'] ?? '').split(';')[0]!;
}
