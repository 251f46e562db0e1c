import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createZone, registerUser, type Actor, type TestZone } from '../../support/people/actors.js';
import { uploadFile } from '../files/upload/multipart-helpers.js';
import { ADD_MODE, postImport } from '../zones/import-helpers.js';
import { describeInProcess, World } from '../../support/world.js';

/** Combining marks in non-canonical order: normalising a run of them takes quadratic time. */
const marks = (length: number) => '\u0316\u0301'.repeat(length / 2);
const spyOnNormalize = () => jest.spyOn(String.prototype, 'normalize');
const fields = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 1]));

describeInProcess('Request body', () => {
  let world: World;
  let owner: Actor;
  let zone: TestZone;

  beforeAll(async () => {
    world = await World.open();
    owner = await registerUser(world);
    zone = await createZone(owner);
  });
  afterAll(() => world.close());

  const send = async (path: string, body: object | string, type = 'application/json') => {
    const response = await owner.client
      .post(path.replace('{id}', String(zone.id)))
      .set('Content-Type', type)
      .send(body);
    return { status: response.status, code: response.body.code as string, errors: response.body.errors as object };
  };

  it.each([
    ['/api/forgot-password', 'email'],
    ['/api/send-verification', 'email'],
    ['/api/login', 'email'],
    ['/api/zones', 'name'],
    ['/api/zones/{id}/folders', 'name'],
    ['/api/zones/{id}/temporary-links', 'password'],
    ['/api/feature-suggestions', 'title'],
  ])('is rejected before normalisation if it has too many combining marks: %s %s', async (path, field) => {
    const normalise = jest.spyOn(String.prototype, 'normalize');
    const responses = [await send(path, { [field]: marks(9000) }), await send(path, { [field]: marks(500_000) })];
    const longest = Math.max(0, ...normalise.mock.contexts.map((text) => String(text).length));
    normalise.mockRestore();
    expect(responses.map(({ status }) => status >= 400 && status < 500)).toEqual([true, true]);
    expect(responses[1]).toMatchObject({ status: 413, code: 'BODY_TOO_LARGE' });
    expect(longest).toBeLessThanOrEqual(5000);
  });

  it.each(['/api/forgot-password', '/api/zones', '/api/zones/{id}/invite', '/api/campaigns'])(
    'is rejected before validation if it has too many fields: %s',
    async (path) => {
      expect(await send(path, fields(3000))).toMatchObject({ status: 400, code: 'BODY_TOO_COMPLEX' });
      expect(await send(path, fields(110_000))).toMatchObject({ status: 413, code: 'BODY_TOO_LARGE' });
      const lists = `{"name":[${'[],'.repeat(3000)}[]]}`;
      expect(await send(path, lists)).toMatchObject({ status: 400, code: 'BODY_TOO_COMPLEX' });
    },
  );

  it('gets errors for the first twenty unknown fields only', async () => {
    const { status, errors } = await send('/api/forgot-password', { email: 'a@example.com', ...fields(150) });
    expect(status).toBe(400);
    expect(Object.keys(errors)).toEqual(Object.keys(fields(20)));
  });

  it('may contain any number of braces and colons in texts', async () => {
    const description = '{"a":[1]}\\'.repeat(400);
    await owner.client.patch(`/api/zones/${zone.id}`).send({ description }).expect(200);
  });

  it('may contain ten thousand addresses', async () => {
    const emails = Array.from({ length: 10_000 }, () => 'nobody@example.com');
    expect((await send('/api/zones/{id}/invite', { emails })).status).toBe(200);
  });

  it.each(['download', 'move', 'delete', 'trash/restore', 'trash/purge'])(
    'may contain the IDs of 10,000 files and 1,000 folders, up to 256 kB: %s',
    async (action) => {
      const ids = (count: number) => Array.from({ length: count }, () => Number.MAX_SAFE_INTEGER);
      const items = (files: number, folders: number) => ({
        fileIds: ids(files),
        folderIds: ids(folders),
        ...(action === 'move' && { targetFolderId: null }),
      });
      const most = await send(`/api/zones/{id}/${action}`, items(10_000, 1000));
      expect([most.status, most.code]).not.toEqual([413, 'BODY_TOO_LARGE']);
      expect(most.code).not.toBe('VALIDATION_FAILED');
      const padBody = (length: number) => JSON.stringify(items(1, 1)).padEnd(length, ' ');
      expect((await send(`/api/zones/{id}/${action}`, padBody(256 * 1024))).status).not.toBe(413);
      const above = await send(`/api/zones/{id}/${action}`, padBody(256 * 1024 + 1));
      expect(above).toMatchObject({ status: 413, code: 'BODY_TOO_LARGE' });
    },
  );

  it('is rejected in encodings other than UTF-8', async () => {
    const type = 'application/json; charset=utf-16le';
    expect((await send('/api/zones', Buffer.from('{"name":"x"}', 'utf16le').toString(), type)).status).toBe(415);
  });

  it('is rejected with the field name if a text is longer than any route accepts', async () => {
    const { status, errors } = await send('/api/zones', { name: 'x'.repeat(20_000) });
    expect([status, Object.keys(errors)]).toEqual([400, ['name']]);
  });
});

describeInProcess('Combining marks', () => {
  let world: World;
  let owner: Actor;
  let zone: TestZone;
  let fileId: number;
  let normalise: ReturnType<typeof spyOnNormalize>;

  beforeAll(async () => {
    world = await World.open();
    owner = await registerUser(world);
    zone = await createZone(owner);
    fileId = (await uploadFile(owner.client, zone.id, 'Read me.txt', 'Read me')).id;
    await world.testApp.em().execute('update users set is_super_admin = true where id = ?', [owner.id]);
  });
  beforeEach(() => {
    normalise = spyOnNormalize();
  });
  afterEach(() => normalise.mockRestore());
  afterAll(() => world.close());

  const longest = () => Math.max(0, ...normalise.mock.contexts.map((text) => String(text).length));

  it.each(listSearchRoutes())('are rejected in search queries before normalisation: %s', async (path) => {
    const query = { q: marks(2000) };
    const id = path.startsWith('/api/files/') ? fileId : zone.id;
    const response = await owner.client.get(path.replace('{id}', String(id))).query(query);
    expect([response.status, Object.keys(response.body.errors as object)]).toEqual([
      400,
      expect.arrayContaining(['q']),
    ]);
    expect(longest()).toBeLessThanOrEqual(1000);
  });

  it.each([
    ['a heading', marks(7000)],
    ['an address', `email,firstName\n${marks(7000)},Ada`],
    ['a name', `email,firstName\nada@example.com,${marks(7000)}`],
    ['all cells together', `email,firstName\n${`${marks(2000)},${marks(2000)}\n`.repeat(10)}`],
    ['one long line', `email\n${marks(500_000)}`],
  ])('are truncated in an imported list before normalisation: %s', async (_what, file) => {
    const { status } = await postImport(owner.client, zone, file, ADD_MODE);
    expect(status).toBeLessThan(500);
    expect(longest()).toBeLessThanOrEqual(1000);
  });
});

/** Routes with a search parameter, from the OpenAPI document. */
function listSearchRoutes(): string[] {
  const { paths } = JSON.parse(readFileSync('openapi.json', 'utf8')) as {
    paths: Record<string, { get?: { parameters?: { name: string; in: string }[] } }>;
  };
  const found = Object.entries(paths).filter(([, { get }]) =>
    get?.parameters?.some((parameter) => parameter.name === 'q' && parameter.in === 'query'),
  );
  return found.map(([path]) => path);
}

describe('Unicode normalisation', () => {
  it('happens in one place only, which checks lengths first', () => {
    const sources = readdirSync('backend/src', { recursive: true, encoding: 'utf8' });
    const found = sources
      .filter((path) => path.endsWith('.ts') && !path.endsWith('.spec.ts'))
      .filter((path) => /\.normalize\(/.test(readFileSync(join('backend/src', path), 'utf8')));
    expect(found).toEqual(['platform/text/unicode-normalisation.ts']);
  });
});
