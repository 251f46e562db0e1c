import supertest from 'supertest';
import {
  createZone,
  joinPublicZone,
  registerUser,
  uniqueName,
  type Actor,
  type TestZone,
} from '../../../support/people/actors.js';
import { describeInProcess, World } from '../../../support/world.js';
import { PNG, uploadFile } from '../upload/multipart-helpers.js';
import { replaceFile } from '../versions/version-helpers.js';

const APP = 'http://zonary.example';
const CONTENT = 'http://content.example:8080';
const MINUTE = 60_000;

describeInProcess('Separate content origin', () => {
  let world: World;
  let owner: Actor;
  let member: Actor;
  let zone: TestZone;
  let image: number;

  beforeAll(async () => {
    world = await World.open({ APP_URL: APP, CONTENT_URL: CONTENT });
    [owner, member] = [await registerUser(world), await registerUser(world)];
    zone = await createZone(owner);
    await joinPublicZone(zone, member);
    image = (await uploadFile(owner.client, zone.id, `${uniqueName('p')}.png`, PNG)).id;
  });
  afterAll(() => world.close());

  /** Requests a host of the service without a session. */
  const requestHost = (path: string, host = 'content.example:8080', headers: Record<string, string> = {}) =>
    supertest(world.url)
      .get(path)
      .set({ Host: host, ...headers });
  const pathOf = (url: string) => new URL(url).pathname + new URL(url).search;
  const getContentUrl = async (what: 'view' | 'download', id = image, { client }: Actor = member): Promise<string> => {
    const { headers } = await client.get(`/api/files/${id}/${what}`).expect(302);
    expect(headers['cache-control']).toBe('private, no-store');
    expect(headers.location).toMatch(/^http:\/\/content\.example:8080\/api\/files\/\d+\/content\?token=/);
    return pathOf(headers.location!);
  };
  const counts = async (id: number) => {
    const { body } = await owner.client.get(`/api/zones/${zone.id}/files`).expect(200);
    const { viewCount, downloadCount } = body.find((file: { id: number }) => file.id === id);
    return [viewCount, downloadCount];
  };

  it('serves versions to people who still manage the file', async () => {
    const { id } = await uploadFile(owner.client, zone.id, `${uniqueName('old')}.txt`, 'first');
    await replaceFile(owner.client, id, 'a.txt', 'second').expect(201);
    const { headers } = await owner.client.get(`/api/files/${id}/versions/1/view`).expect(302);
    const address = pathOf(headers.location!);
    expect((await requestHost(address).expect(200)).text).toBe('first');
    expect((await requestHost(address.replace('n1.', 'n2.')).expect(403)).body.code).toBe('ADDRESS_EXPIRED');
    const sql = `update zone_members set role = ? where zone_id = ? and user_id = ?`;
    const setRole = (role: string) => world.testApp.em().execute(sql, [role, zone.id, member.id]);
    await setRole('admin');
    const asAdmin = pathOf((await member.client.get(`/api/files/${id}/versions/1/view`).expect(302)).headers.location!);
    await setRole('member');
    expect((await requestHost(asAdmin).expect(404)).body.code).toBe('FILE_NOT_FOUND');
  });

  it("displays files to the app's pages only and counts the view", async () => {
    const { id } = await uploadFile(owner.client, zone.id, `${uniqueName('shown')}.png`, PNG);
    const address = await getContentUrl('view', id);
    expect(await counts(id)).toEqual([0, 0]);
    const { headers, body } = await requestHost(address).expect(200);
    expect(PNG.equals(body)).toBe(true);
    expect(headers['content-disposition']).toMatch(/^inline;/);
    expect(headers['content-security-policy']).toContain(`frame-ancestors ${APP}; sandbox`);
    expect(headers['content-security-policy'] ?? '').not.toContain('frame-ancestors; ');
    expect(headers['cross-origin-resource-policy']).toBe('cross-origin');
    expect(headers['access-control-allow-origin']).toBe(APP);
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers).not.toHaveProperty('x-frame-options');
    expect(headers).not.toHaveProperty('set-cookie');
    expect(await counts(id)).toEqual([1, 0]);
  });

  it('serves downloads, and files that could run scripts are never displayed', async () => {
    expect((await requestHost(await getContentUrl('download')).expect(200)).headers['content-disposition']).toMatch(
      /^attachment;/,
    );
    const page = await uploadFile(
      owner.client,
      zone.id,
      `${uniqueName('page')}.html`,
      '<!doctype html><script>1</script>',
    );
    expect(
      (await requestHost(await getContentUrl('view', page.id)).expect(200)).headers['content-disposition'],
    ).toMatch(/^attachment;/);
    const { body } = await member.client.get(`/api/files/${image}/url`).expect(200);
    expect(body.url).toMatch(/^http:\/\/content\.example:8080\/api\/files\//);
    await requestHost(pathOf(body.url)).expect(200);
  });

  it('supports ranges and conditional requests', async () => {
    const address = await getContentUrl('view');
    const part = await requestHost(address, undefined, { Range: 'bytes=1-3' }).expect(206);
    expect(PNG.subarray(1, 4).equals(part.body)).toBe(true);
    await requestHost(address, undefined, { 'If-None-Match': part.headers.etag! }).expect(304);
    await requestHost(address, undefined, { Range: `bytes=${PNG.length}-` }).expect(416);
    await member.client.head(`/api/files/${image}/view`).expect(200);
  });

  it('serves only contents, which no other host serves', async () => {
    const address = await getContentUrl('view');
    for (const path of [
      '/',
      '/api/user',
      '/api/openapi.json',
      '/healthz',
      `/api/files/${image}/view`,
      '/assets/a.js',
    ]) {
      const { body, headers } = await requestHost(path).expect(404);
      expect(body.code).toBe('NOT_FOUND');
      expect(headers).not.toHaveProperty('access-control-allow-origin');
    }
    await supertest(world.url)
      .post(address)
      .set({ Host: 'content.example:8080', 'Sec-Fetch-Site': 'same-origin' })
      .expect(404);
    for (const host of ['zonary.example', '127.0.0.1', 'content.example']) await requestHost(address, host).expect(404);
    await requestHost(address, 'CONTENT.example:8080').expect(200);
  });

  it('checks permissions on each request, for an hour at most', async () => {
    const leaver = await registerUser(world);
    await joinPublicZone(zone, leaver);
    const [his, hers] = [await getContentUrl('view', image, leaver), await getContentUrl('view')];
    await world.testApp.em().execute('delete from zone_members where user_id = ?', [leaver.id]);
    await requestHost(his).expect(404);
    world.testApp.clock.advance(59 * MINUTE);
    await requestHost(hers).expect(200);
    world.testApp.clock.advance(MINUTE);
    expect((await requestHost(hers).expect(403)).body.code).toBe('ADDRESS_EXPIRED');
  });

  it('rejects download URLs for viewing and vice versa', async () => {
    const [view, download] = [await getContentUrl('view'), await getContentUrl('download')];
    const expire = /\.(\d+)(v?)\./;
    for (const forged of [view.replace(expire, '.$1.'), download.replace(expire, '.$1v.')]) {
      expect((await requestHost(forged).expect(403)).body.code).toBe('ADDRESS_EXPIRED');
    }
  });

  it('rejects earlier URLs once the user may no longer download', async () => {
    const { id } = await uploadFile(owner.client, zone.id, `${uniqueName('kept')}.png`, PNG);
    const earlier = [await getContentUrl('download', id), await getContentUrl('view', id)];
    await owner.client.patch(`/api/files/${id}`).send({ allowDownload: false }).expect(200);
    for (const kind of ['view', 'download', 'url']) {
      expect((await member.client.get(`/api/files/${id}/${kind}`).expect(403)).body.code).toBe('DOWNLOAD_NOT_ALLOWED');
    }
    for (const address of earlier)
      expect((await requestHost(address).expect(403)).body.code).toBe('DOWNLOAD_NOT_ALLOWED');
  });

  it('is allowed by the content security policy of the app', async () => {
    const { headers } = await requestHost('/healthz', 'zonary.example').expect(200);
    for (const kind of ['img', 'media', 'frame', 'connect']) {
      expect(headers['content-security-policy']).toMatch(new RegExp(`${kind}-src [^;]*${CONTENT}`));
    }
  });
});
