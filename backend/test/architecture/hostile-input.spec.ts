import { readFileSync } from 'node:fs';
import type { OpenAPIObject } from '@nestjs/swagger';
import { createZone, registerUser, type Actor, type TestZone } from '../support/people/actors.js';
import { describeInProcess, World } from '../support/world.js';
import { DAY } from '../../src/platform/clock/clock.js';
import { encodeCursor } from '../../src/platform/http/lists/cursor.js';
import { fullOrShort } from '../support/full-or-short.js';

/** Values of every type, at the limits of JSON, JavaScript and PostgreSQL. */
const VALUES: unknown[] = [
  null,
  true,
  '',
  ' ',
  'x',
  'x'.repeat(20_000),
  0,
  -1,
  1.5,
  2_147_483_648,
  Number.MAX_SAFE_INTEGER,
  1e300,
  '9223372036854775808',
  'NaN',
  '2026-02-31T00:00:00Z',
  '+275760-09-13T00:00:00.000Z',
  '-271821-04-20T00:00:00.000Z',
  [],
  [null],
  [[]],
  ['x', 'x'],
  [-1],
  [Number.MAX_SAFE_INTEGER, 1e300],
  [{}],
  {},
  { length: 5 },
  { x: { y: [] } },
];

/** In the short run, a fifth of the values for each field; five fields cover all of them. */
const valuesOf = (at: number) =>
  fullOrShort(
    VALUES,
    VALUES.filter((_, index) => index % 5 === at % 5),
  );

/** A valid future time for any field. */
const SOON = new Date(Date.now() + 30 * DAY).toISOString();

const CURSORS = [
  'x',
  '%00',
  ...[[], [null], ['x'], [1e300], [-1], [1.5], [true], ['NaN'], [{}], ['x', 'x'], ['x', 1], [null, null]].map((keys) =>
    encodeCursor(keys as never),
  ),
  ...[
    ['+275760-09-13T00:00:00.000Z', 1],
    ['2026-01-01T00:00:00.000Z', 1e300],
    ['infinity', 1],
    [1, 'x'],
    ['x', 'x', 'x'],
    [null, 1, 'x'],
  ].map((keys) => encodeCursor(keys as never)),
];

/** Routes called with valid bodies, so that hostile fields get past the DTO's validation. */
const REACHED = [
  '/api/campaigns',
  '/api/campaigns/{id}',
  '/api/campaigns/{id}/schedule',
  '/api/email-templates/{id}',
  '/api/feature-suggestions/{id}',
  '/api/files/{id}/move',
  '/api/files/{id}/rename',
  '/api/folders/{id}',
  '/api/user/profile',
  '/api/user/tokens',
  '/api/woocommerce/product-mappings',
  '/api/zones',
  '/api/zones/{id}',
  '/api/zones/{id}/download',
  '/api/zones/{id}/folders',
  '/api/zones/{id}/mail-settings',
  '/api/zones/{id}/send-email',
];

const IDS = ['0', '-1', '1.5', 'x', '9007199254740991', '9223372036854775808', '%2e%2e', '..%2f..%2fetc', '%C3%A9'];

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly parameters: { name: string; in: string }[];
  readonly properties: Record<string, Schema>;
}

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly enum?: unknown[];
  readonly minimum?: number;
  readonly minLength?: number;
  readonly format?: string;
  readonly items?: Schema;
  readonly allOf?: Schema[];
}

/** Every operation of the API, with the fields of its JSON body. */
function operationsOf(document: OpenAPIObject): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, { parameters?: never[]; requestBody?: never }>).map(
      ([method, { parameters = [], requestBody }]) => ({
        method,
        path,
        parameters,
        properties: propertiesOf(document, requestBody),
      }),
    ),
  );
}

function propertiesOf(document: OpenAPIObject, body?: { content?: Record<string, { schema?: Schema }> }) {
  const found = resolveSchema(document, body?.content?.['application/json']?.schema);
  return (found as { properties?: Record<string, Schema> } | undefined)?.properties ?? {};
}

function resolveSchema(document: OpenAPIObject, schema?: Schema): Schema | undefined {
  const name = (schema?.$ref ?? schema?.allOf?.[0]?.$ref)?.split('/').at(-1);
  return name ? (document.components?.schemas?.[name] as Schema) : schema;
}

/** Returns a valid value for a field, so that only the hostile field is tested. */
function validValue(name: string, schema: Schema): unknown {
  if (schema.enum) return schema.enum[0];
  if (schema.type === 'boolean') return true;
  if (schema.$ref || schema.allOf || name === 'limits') return {};
  if (/emails?$|replyTo/i.test(name)) return 'ada@example.com';
  if (name === 'targetZoneId') return 2;
  // The optional version check is omitted: a guessed version would only cause a conflict.
  if (name === 'updatedAt') return undefined;
  if (/(At|Date)$/.test(name) || schema.format === 'date-time') return SOON;
  if (/timeZone/.test(name)) return 'Europe/Istanbul';
  if (schema.type === 'array') return [validValue(name, schema.items ?? {})];
  if (schema.type === 'number' || schema.type === 'integer') return Math.max(schema.minimum ?? 1, 1);
  return 'x'.repeat(Math.max(schema.minLength ?? 0, 8));
}

const operations = operationsOf(JSON.parse(readFileSync('openapi.json', 'utf8')) as OpenAPIObject);
/** One test per operation, so that each has its own timeout however many there are. */
const each = (chosen: Operation[]) =>
  chosen.map((operation) => [`${operation.method} ${operation.path}`, operation] as const);

describeInProcess('Hostile input', () => {
  let world: World;
  let owner: Actor;
  let zone: TestZone;

  beforeAll(async () => {
    world = await World.open();
    owner = await registerUser(world);
    zone = await createZone(owner);
    await world.testApp.em().execute('update users set is_super_admin = true where id = ?', [owner.id]);
    await createOneOfEach();
  });
  afterAll(() => world.close());

  const fillPath = (path: string) => path.replace('{id}', String(zone.id)).replace(/\{\w+\}/g, '1');
  const problems: string[] = [];
  beforeEach(() => void problems.splice(0));

  async function send(method: string, path: string, body?: unknown) {
    const request = owner.client[method as 'post'](path).redirects(0);
    const sent = body === undefined ? request : request.set('Content-Type', 'application/json').send(body as object);
    const response = await sent.catch((error: Error) => ({ status: 500, body: { code: error.message } }));
    if (response.status >= 500 && !String(response.body.code).endsWith('_NOT_CONFIGURED')) {
      problems.push(
        `${method} ${path} ${JSON.stringify(body)?.slice(0, 200)} → ${response.status} ${response.body.code}`,
      );
    }
    return response;
  }

  /** The first row of every kind has id 1, which is used for every id in a path. */
  async function createOneOfEach() {
    expect(zone.id).toBe(1);
    await owner.client.patch('/api/admin/users/1/plan').send({ plan: 'enterprise' }).expect(200);
    const create = (path: string, body: object) => owner.client.post(path).send(body).expect(201);
    const mail = { subject: 'News', htmlContent: '<p>News</p>' };
    await create('/api/zones/1/folders', { name: 'Folder' });
    await owner.client.post('/api/zones/1/files').attach('files', Buffer.from('text'), 'a.txt').expect(201);
    await create('/api/zones', { name: 'Private', type: 'private' });
    await create('/api/zones/2/temporary-links', { name: 'Link', expiresInHours: 24 });
    await create('/api/files/1/links', { name: 'Link' });
    await create('/api/zones/1/folder-mirrors', { sourceFolderId: 1, targetFolderName: 'Mirror', targetZoneId: 2 });
    await create('/api/campaigns', { ...mail, zoneId: 1 });
    await create('/api/email-templates', { ...mail, name: 'Template' });
    await create('/api/feature-suggestions', { title: 'A suggestion', description: 'x'.repeat(40) });
  }

  /** Routes that would end the sender's session or account. */
  const ENDS_SESSION = /sessions|logout|activate|^\/api\/user$|change-password|complete-profile/;
  const changes = operations.filter(({ method, path }) => method !== 'get' && !ENDS_SESSION.test(path));
  /** Deletions come last, so that the other operations find their rows. */
  const deletes = ({ method, path }: Operation): number =>
    path.endsWith('/zones/{id}') && method === 'delete'
      ? 2
      : method === 'delete' || /delete|purge|withdraw/.test(path)
        ? 1
        : 0;

  describe('in a path', () => {
    it.each(each(operations.filter(({ path }) => path.includes('{'))))(
      'causes no server error: %s',
      async (_, { method, path }) => {
        for (const id of IDS) await send(method, path.replace(/\{\w+\}/g, id));
        expect(problems).toEqual([]);
      },
    );
  });

  describe('in a query', () => {
    const queryParameters = ({ parameters }: Operation) => parameters.filter((parameter) => parameter.in === 'query');
    it.each(
      each(operations.filter((operation) => operation.method === 'get' && queryParameters(operation).length > 0)),
    )('causes no server error: %s', async (_, operation) => {
      for (const [index, { name }] of queryParameters(operation).entries()) {
        const values = name === 'cursor' ? CURSORS : valuesOf(index).filter((value) => String(value).length < 2_000);
        const texts = values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value)));
        const urls = texts.map((text) => `${fillPath(operation.path)}?${name}=${encodeURIComponent(text)}`);
        await Promise.all(urls.map((path) => send('get', path)));
        await send('get', `${fillPath(operation.path)}?${name}=1&${name}=2`);
      }
      expect(problems).toEqual([]);
    });
  });

  describe('in a body', () => {
    const accepted = new Set<string>();

    it.each(each(changes.toSorted((a, b) => deletes(a) - deletes(b))))(
      'causes no server error: %s',
      async (_, { method, path, properties }) => {
        const fields = Object.entries(properties);
        const usual = Object.fromEntries(fields.map(([name, schema]) => [name, validValue(name, schema)]));
        for (const body of [usual, [], {}, [{}], [[]]]) {
          const { status } = await send(method, fillPath(path), body);
          if (status < 300) accepted.add(path);
        }
        for (const [index, [name]] of fields.entries()) {
          await Promise.all(valuesOf(index).map((value) => send(method, fillPath(path), { ...usual, [name]: value })));
        }
        expect(problems).toEqual([]);
      },
    );

    it('is preceded by valid bodies that the routes accept', () => {
      expect(REACHED.filter((path) => !accepted.has(path))).toEqual([]);
    });
  });

  it('causes no server error when nested at any depth', async () => {
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
    ] as const) {
      for (const [depth, rejection] of [
        [8, [400, 'BODY_TOO_COMPLEX']],
        [5000, [400, 'BODY_TOO_COMPLEX']],
        [100_000, [413, 'BODY_TOO_LARGE']],
      ] as const) {
        const body = `{"name":${open.repeat(depth)}1${close.repeat(depth)}}`;
        const response = await owner.client.post('/api/zones').set('Content-Type', 'application/json').send(body);
        expect([response.status, response.body.code]).toEqual(rejection);
      }
    }
  });
});
