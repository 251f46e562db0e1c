import supertest from 'supertest';
import { registerUser, type Actor } from '../../support/people/actors.js';
import { World } from '../../support/world.js';

let world: World;
let actor: Actor;
beforeAll(async () => {
  world = await World.open();
  actor = await registerUser(world);
});
afterAll(() => world.close());

const post = (type: string, body: string | Buffer) =>
  actor.client
    .post('/api/zones')
    .set('Content-Type', type)
    .send(body as string);

describe('POST /api/zones with an invalid body', () => {
  it.each([
    ['broken JSON', 'application/json', '{"name": ', 400, 'MALFORMED_JSON'],
    ['JSON that is not an object', 'application/json', '"zone"', 400, 'MALFORMED_JSON'],
    ['an empty object', 'application/json', '{}', 400, 'VALIDATION_FAILED'],
    ['a list', 'application/json', '[]', 400, 'VALIDATION_FAILED'],
    ['plain text', 'text/plain', 'name=zone', 415, 'UNSUPPORTED_TYPE'],
    ['a form', 'application/x-www-form-urlencoded', 'name=zone', 415, 'UNSUPPORTED_TYPE'],
    ['an unknown charset', 'application/json; charset=klingon', '{}', 415, 'UNSUPPORTED_TYPE'],
    ['more than 1 MB', 'application/json', JSON.stringify({ name: 'x'.repeat(1024 * 1024) }), 413, 'BODY_TOO_LARGE'],
  ])('rejects %s', async (_case, type, body, status, code) => {
    const response = await post(type, body);
    expect([response.status, response.body.code]).toEqual([status, code]);
    expect(response.body).toMatchObject({
      statusCode: status,
      message: expect.any(String),
      requestId: expect.any(String),
    });
    expect((await actor.client.get('/api/zones')).body).toEqual([]);
  });

  it('rejects an unknown content encoding', async () => {
    const response = await actor.client
      .post('/api/zones')
      .set({ 'Content-Type': 'application/json', 'Content-Encoding': 'rot13' })
      .send('{}');
    expect([response.status, response.body.code]).toEqual([415, 'UNSUPPORTED_TYPE']);
  });
});

describe('GET requests with invalid URLs', () => {
  it.each([
    ['/api/nothing-here', 404, 'NOT_FOUND'],
    ['/api/zones/%00', 400, 'VALIDATION_FAILED'],
    ['/api/zones/%E0%A4%A', 400, 'VALIDATION_FAILED'],
    ['/api/zones?limit=0', 400, 'VALIDATION_FAILED'],
    ['/api/zones?limit=ten', 400, 'VALIDATION_FAILED'],
    ['/api/zones?unknown=1', 400, 'VALIDATION_FAILED'],
    ['/api/zones?cursor=%00', 400, 'VALIDATION_FAILED'],
  ])('%s returns %i %s', async (path, status, code) => {
    const response = await actor.client.get(path);
    expect([response.status, response.body.code]).toEqual([status, code]);
  });

  it('reveal nothing of the server', async () => {
    const { headers, text } = await actor.client.get('/api/nothing-here');
    expect(headers['x-powered-by']).toBeUndefined();
    expect(text).not.toMatch(/node_modules|at .*\.js/);
  });
});

describe('Texts', () => {
  it.each(['İstanbul ışığı', 'naïve café', '🚀 zone 👩‍👩‍👧', 'x'.repeat(255), '<b>bold</b>', "'; drop table zones; --"])(
    'are stored unchanged: %s',
    async (description) => {
      const owner = await registerUser(world);
      const { body } = await owner.client
        .post('/api/zones')
        .send({ name: description, description, type: 'private' })
        .expect(201);
      expect([body.name, body.description]).toEqual([description, description]);
    },
  );
});

describe('Every response', () => {
  it('has a request ID, generated or from the client, and the security headers', async () => {
    const own = await supertest(world.url).get('/api/user').set('X-Request-Id', 'from-the-caller-1');
    expect([own.headers['x-request-id'], own.body.requestId]).toEqual(['from-the-caller-1', 'from-the-caller-1']);
    const rejectedId = await supertest(world.url).get('/api/user').set('X-Request-Id', 'bad id!');
    expect(rejectedId.headers['x-request-id']).toMatch(/^[\w-]{36}$/);
    expect(rejectedId.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
      'permissions-policy': expect.stringContaining('camera=()'),
      'content-security-policy': expect.stringContaining("script-src 'self'"),
    });
  });

  it.each([
    ...['join/x', 'invite/x', 'zone/temp/x', 'unsubscribe/x', 'verify-email?token=x', 'reset-password?token=x'],
    ...['change-email?token=x', 'undo-email-change?token=x', 'reply-to?token=x', 'setup?key=x'],
  ])('sends no referrer from /%s, which holds a token', async (page) => {
    const { headers } = await supertest(world.url).get(`/${page}`);
    expect(headers['referrer-policy']).toBe('no-referrer');
  });
});

describe('Names', () => {
  const create = (name: unknown) => actor.client.post('/api/zones').send({ name, type: 'private' });

  it.each([
    ['a line break', 'Locked\r\n\r\nPay at http://evil.example'],
    ['a tab', 'a\tb'],
    ['a bidirectional override', 'a\u202eb'],
    ['a line separator', 'a\u2028b'],
  ])('are rejected with %s', async (_case, name) => {
    const response = await create(name).expect(400);
    expect(response.body.errors.name).toEqual(['Please enter this on one line, without control characters']);
    const profile = await actor.client.put('/api/user/profile').send({ firstName: name, lastName: 'B' }).expect(400);
    expect(profile.body.errors.firstName).toHaveLength(1);
    const token = { name, scope: 'read', expiresInDays: 1 };
    expect((await actor.client.post('/api/user/tokens').send(token).expect(400)).body.errors.name).toHaveLength(1);
  });

  it.each(['\u200b', ' \u200b\u2060 ', '\u00ad'])('are rejected without a visible character (%j)', async (name) => {
    expect((await create(name).expect(400)).body.errors.name).toEqual(['Zone name is required']);
  });

  it.each([
    [['a'], 'Zone name is required'],
    [7, 'Zone name is required'],
    [null, 'Zone name is required'],
  ])('are rejected unless they are strings (%j)', async (name, sentence) => {
    expect((await create(name).expect(400)).body.errors.name).toEqual([sentence]);
  });
});

describe('Request fields', () => {
  it.each(['__proto__', 'constructor', 'toString'])('named %s are rejected as unknown', async (field) => {
    const body = `{"name":"x","type":"private","${field}":{"a":1}}`;
    const response = await post('application/json', body).expect(400);
    expect(response.body.errors[field]).toEqual(['Unknown field.']);
  });

  it('are rejected when null, unlike omitted ones', async () => {
    const owner = await registerUser(world);
    const { body } = await owner.client.post('/api/zones').send({ name: 'Kept', type: 'public' }).expect(201);
    for (const change of [{ name: null }, { type: null }, { autoJoin: null }, { type: 'private', name: null }]) {
      await owner.client.patch(`/api/zones/${body.id}`).send(change).expect(400);
    }
    expect((await owner.client.get(`/api/zones/${body.id}`)).body).toMatchObject({ name: 'Kept', type: 'public' });
  });
});

describe('API responses', () => {
  it('are not cached by browsers or proxies', async () => {
    for (const path of ['/api/user', '/api/zones', '/api/user/sessions', '/api/nothing-here']) {
      expect((await actor.client.get(path)).headers['cache-control']).toBe('no-store');
    }
  });
});
