import supertest from 'supertest';
import { RenderError } from '../../../../src/platform/rendering/rendering.errors.js';
import { RenderingService } from '../../../../src/platform/rendering/rendering.service.js';
import { HOUR, MINUTE } from '../../../../src/platform/clock/clock.js';
import {
  createZone,
  joinPublicZone,
  registerUser,
  uniqueName,
  type Actor,
  type TestZone,
} from '../../../support/people/actors.js';
import { joinAsRestrictedUser } from '../../../support/people/restricted-user.js';
import { createTestApp, type TestApp } from '../../../support/test-app.js';
import { describeInProcess, World, type Client } from '../../../support/world.js';
import { allowUnlimitedZones } from '../../mirrors/mirror-helpers.js';
import { createFolder, uploadFile } from '../upload/multipart-helpers.js';
import { getWithCookies, cookieHeaderOf, readDocumentCookie } from './document-cookies.js';
import { createEncryptedPdf } from './generated/pdf-samples.js';

let world: World;
/** Another process of the same product, with limits. */
let other: TestApp;
let owner: Actor;
let member: Actor;
let zone: TestZone;

const execute = (sql: string, params: unknown[] = []) => world.testApp.em().execute(sql, params);
const storeDocument = async (query = '') => {
  const { id } = await uploadFile(owner.client, zone.id, uniqueName('locked.pdf'), createEncryptedPdf('pass'), query);
  await world.testApp.drain();
  return id;
};
const unlock = (id: number, client: Client, password = 'pass') =>
  client.post(`/api/files/${id}/pages/unlock`).send({ password });
const getFirstPage = (id: number, client: Client) => client.get(`/api/files/${id}/pages/1`);
const signIn = async ({ email, password }: Actor, url = world.url) => {
  const client = World.prototype.createClient.call({ url } as World);
  await client.post('/api/login').send({ email, password }).expect(200);
  return client;
};
/** Returns the cookie after a client has unlocked a document. */
const unlockDocument = async (id: number, client: Client) =>
  readDocumentCookie((await unlock(id, client).expect(204)).headers);
/** The page's response to a session with this cookie. */
const readStatus = async (id: number, client: Client, cookie: string, url = world.url) => {
  const path = `/api/files/${id}/pages/1`;
  return (await getWithCookies(url, path, `${cookieHeaderOf(client, url, '/')}; ${cookie}`)).status;
};

describeInProcess('Unlocked document', () => {
  beforeAll(async () => {
    // Both processes can decrypt each other's cookies.
    const APP_SECRET = 'a secret that both processes have, long enough';
    world = await World.open({ APP_SECRET });
    other = await createTestApp({ APP_SECRET, RATE_LIMIT: 'on' }, [], world.testApp.connection);
    owner = await registerUser(world);
    zone = await createZone(owner);
    member = await registerUser(world);
    await joinPublicZone(zone, member);
  });
  afterAll(async () => {
    await other.close();
    await world.close();
  });
  afterEach(() => jest.restoreAllMocks());

  it('is accessible to that session and for that file only', async () => {
    const [id, another] = [await storeDocument(), await storeDocument()];
    const [here, elsewhere] = [await signIn(member), await signIn(member)];
    const cookie = await unlockDocument(id, here);
    expect(await readStatus(id, here, cookie)).toBe(200);
    expect(await readStatus(id, elsewhere, cookie)).toBe(423);
    expect(await readStatus(id, owner.client, cookie)).toBe(423);
    expect(await readStatus(another, here, cookie)).toBe(423);
    // The cookie's path keeps browsers from sending it to another file.
    await getFirstPage(id, here).expect(200);
    await getFirstPage(another, here).expect(423);
  });

  it('is not accessible with a forged cookie', async () => {
    const id = await storeDocument();
    const client = await signIn(member);
    const cookie = await unlockDocument(id, client);
    const [name, value] = cookie.split('=') as [string, string];
    const [key, body] = value.split('.') as [string, string];
    const flipCharacter = (at: number) => `${body.slice(0, at)}${body[at] === 'A' ? 'B' : 'A'}${body.slice(at + 1)}`;
    const invalid = [
      '',
      'x',
      `${key}.`,
      `.${body}`,
      key,
      `${key}.${body.slice(0, 20)}`,
      `${'0'.repeat(12)}.${body}`,
      '%E0%A4%A',
    ];
    const altered = [0, 5, 20, 30, body.length - 5].map((at) => `${key}.${flipCharacter(at)}`);
    for (const forgedCookie of [...invalid, ...altered])
      expect([forgedCookie, await readStatus(id, client, `${name}=${forgedCookie}`)]).toEqual([forgedCookie, 423]);
    expect(await readStatus(id, client, cookie)).toBe(200);
  });

  it('stays unlocked for an hour', async () => {
    const id = await storeDocument();
    const client = await signIn(member);
    const cookie = await unlockDocument(id, client);
    world.testApp.clock.advance(HOUR - MINUTE);
    expect(await readStatus(id, client, cookie)).toBe(200);
    world.testApp.clock.advance(MINUTE + 1000);
    expect(await readStatus(id, client, cookie)).toBe(423);
  });

  it('is locked when the session ends and after the next sign-in', async () => {
    const id = await storeDocument();
    const client = await signIn(member);
    const cookie = await unlockDocument(id, client);
    await client.post('/api/logout').expect(200);
    expect(await readStatus(id, client, cookie)).toBe(401);
    await client.post('/api/login').send({ email: member.email, password: member.password }).expect(200);
    expect(await readStatus(id, client, cookie)).toBe(423);
  });

  it('is accessible in each process without shared state', async () => {
    const ahead = world.now() - other.clock.now().getTime();
    (ahead > 0 ? other : world.testApp).clock.advance(Math.abs(ahead));
    const id = await storeDocument();
    const client = await signIn(member);
    const cookie = await unlockDocument(id, client);
    const there = await signIn(member, other.url);
    expect(await readStatus(id, there, await unlockDocument(id, there), other.url)).toBe(200);
    const path = `/api/files/${id}/pages/1`;
    await getWithCookies(other.url, path, `${cookieHeaderOf(client, world.url, '/')}; ${cookie}`).expect(200);
  });

  it('requires the current right to read it', async () => {
    const id = await storeDocument();
    const outsider = await registerUser(world);
    expect((await unlock(id, outsider.client).expect(404)).body.code).toBe('FILE_NOT_FOUND');
    await unlock(id, world.createClient()).expect(401);
    const client = await signIn(member);
    await unlock(id, client).expect(204);
    const until = (when: string) =>
      execute(`update zone_members set expires_at = ${when} where zone_id = ? and user_id = ?`, [zone.id, member.id]);
    await until(`now() - interval '1 second'`);
    await getFirstPage(id, client).expect(404);
    await unlock(id, client).expect(404);
    await until('null');
    await getFirstPage(id, client).expect(200);
    await owner.client.delete(`/api/files/${id}`).expect(204);
    await getFirstPage(id, client).expect(404);
    await unlock(id, client).expect(404);
  });

  it('is readable through mirrors and in restricted sessions, but not with API tokens', async () => {
    await allowUnlimitedZones(world, owner);
    const folder = await createFolder(owner.client, zone.id, uniqueName('source'));
    const id = await storeDocument(`?folderId=${folder}`);
    const target = await createZone(owner);
    const visitor = await joinAsRestrictedUser(world, target);
    await unlock(id, visitor).expect(404);
    const mirror = {
      sourceFolderId: folder,
      targetZoneId: target.id,
      targetFolderName: 'Shown',
      mirrorType: 'one_way',
    };
    await owner.client.post(`/api/zones/${zone.id}/folder-mirrors`).send(mirror).expect(201);
    expect((await visitor.get('/api/user').expect(200)).body).toMatchObject({ isReader: true });
    await unlock(id, visitor).expect(204);
    await getFirstPage(id, visitor).expect(200);

    const requestBody = { name: 'Program', scope: 'write', expiresInDays: 1 };
    const { body } = await (await signIn(owner)).post('/api/user/tokens').send(requestBody).expect(201);
    const program = supertest.agent(world.url).set('Authorization', `Bearer ${(body as { token: string }).token}`);
    expect((await unlock(id, program).expect(403)).body.code).toBe('SESSION_REQUIRED');
    await getFirstPage(id, program).expect(423);
  });

  it('allows ten password attempts in 15 minutes per user and document', async () => {
    const [id, another] = [await storeDocument(), await storeDocument()];
    const client = await signIn(member, other.url);
    const open = jest.spyOn(other.app.get(RenderingService), 'openDocument');
    const tries = await Promise.all(
      Array.from({ length: 30 }, (_, index) => unlock(id, client, index < 29 ? `guess ${index}` : 'pass')),
    );
    expect(open.mock.calls.length).toBe(10);
    const statuses = tries.map(({ status }) => status);
    expect(statuses.filter((status) => status === 429)).toHaveLength(20);
    const rejected = await unlock(id, client).expect(429);
    expect(rejected.body.code).toBe('TOO_MANY_REQUESTS');
    expect(Number(rejected.headers['retry-after'])).toBeGreaterThan(0);
    // The cookie is valid only for this user and document.
    await unlock(another, client).expect(204);
    await unlock(id, await signIn(owner, other.url)).expect(204);
    other.clock.advance(15 * MINUTE + 1000);
    await unlock(id, client).expect(204);
  });

  it('allows 300 renderings a minute per user, and failing text counts as many', async () => {
    const id = await storeDocument();
    const client = await signIn(member, other.url);
    await unlock(id, client).expect(204);
    jest.spyOn(other.app.get(RenderingService), 'extractText').mockRejectedValue(new RenderError('too-slow'));
    const text = () => client.get(`/api/files/${id}/pages/1/text`);
    for (let times = 0; times < 5; times++) await text().expect(200);
    expect((await text().expect(429)).body.code).toBe('TOO_MANY_REQUESTS');
    expect((await getFirstPage(id, client).expect(429)).body.code).toBe('TOO_MANY_REQUESTS');
    other.clock.advance(MINUTE + 1000);
    await getFirstPage(id, client).expect(200);
  });
});
