import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createZone, register, type Actor, type TestZone } from '../../support/people/actors.js';
import { describeInProcess, World } from '../../support/world.js';

/** Marks that normalising must bring into order: a run of them costs its square. */
const marks = (length: number) => '\u0316\u0301'.repeat(length / 2);
const fields = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, 1]));

describeInProcess('a body', () => {
  let world: World;
  let owner: Actor;
  let zone: TestZone;

  beforeAll(async () => {
    world = await World.open();
    owner = await register(world);
    zone = await createZone(owner);
  });
  afterAll(() => world.close());

  const send = async (path: string, body: object | string, type = 'application/json') => {
    const answer = await owner.client
      .post(path.replace('{id}', String(zone.id)))
      .set('Content-Type', type)
      .send(body);
    return { status: answer.status, code: answer.body.code as string, errors: answer.body.errors as object };
  };

  it.each([
    ['/api/forgot-password', 'email'],
    ['/api/send-verification', 'email'],
    ['/api/login', 'email'],
    ['/api/zones', 'name'],
    ['/api/zones/{id}/folders', 'name'],
    ['/api/zones/{id}/temporary-links', 'password'],
    ['/api/feature-suggestions', 'title'],
  ])('of marks is refused before anything normalises it: %s %s', async (path, field) => {
    const normalise = jest.spyOn(String.prototype, 'normalize');
    const answers = [await send(path, { [field]: marks(9000) }), await send(path, { [field]: marks(500_000) })];
    const longest = Math.max(0, ...normalise.mock.contexts.map((text) => String(text).length));
    normalise.mockRestore();
    expect(answers.map(({ status }) => status >= 400 && status < 500)).toEqual([true, true]);
    expect(answers[1]).toMatchObject({ status: 413, code: 'BODY_TOO_LARGE' });
    expect(longest).toBeLessThanOrEqual(5000);
  });

  it.each(['/api/forgot-password', '/api/zones', '/api/zones/{id}/invite', '/api/campaigns'])(
    'of very many fields is refused before anything looks into it: %s',
    async (path) => {
      expect(await send(path, fields(3000))).toMatchObject({ status: 400, code: 'BODY_TOO_COMPLEX' });
      expect(await send(path, fields(110_000))).toMatchObject({ status: 413, code: 'BODY_TOO_LARGE' });
      const lists = `{"name":[${'[],'.repeat(3000)}[]]}`;
      expect(await send(path, lists)).toMatchObject({ status: 400, code: 'BODY_TOO_COMPLEX' });
    },
  );

  it('of unknown fields is told the first twenty of them', async () => {
    const { status, errors } = await send('/api/forgot-password', { email: 'a@example.com', ...fields(150) });
    expect(status).toBe(400);
    expect(Object.keys(errors)).toEqual(Object.keys(fields(20)));
  });

  it('may hold braces and colons in its texts, however many', async () => {
    const description = '{"a":[1]}\\'.repeat(400);
    await owner.client.patch(`/api/zones/${zone.id}`).send({ description }).expect(200);
  });

  it('of a list of addresses may hold ten thousand', async () => {
    const emails = Array.from({ length: 10_000 }, () => 'nobody@example.com');
    expect((await send('/api/zones/{id}/invite', { emails })).status).toBe(200);
  });

  it('in another encoding is not read', async () => {
    const type = 'application/json; charset=utf-16le';
    expect((await send('/api/zones', Buffer.from('{"name":"x"}', 'utf16le').toString(), type)).status).toBe(415);
  });

  it('of a text that no route keeps is refused by its field', async () => {
    const { status, errors } = await send('/api/zones', { name: 'x'.repeat(20_000) });
    expect([status, Object.keys(errors)]).toEqual([400, ['name']]);
  });
});

describe('normalising', () => {
  it('is done in one place, which looks at lengths first', () => {
    const sources = readdirSync('backend/src', { recursive: true, encoding: 'utf8' });
    const found = sources
      .filter((path) => path.endsWith('.ts') && !path.endsWith('.spec.ts'))
      .filter((path) => /\.normalize\(/.test(readFileSync(join('backend/src', path), 'utf8')));
    expect(found).toEqual(['platform/text/composed.ts']);
  });
});
