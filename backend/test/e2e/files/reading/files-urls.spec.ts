import { randomBytes } from 'node:crypto';
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
import { createFolder, PNG, uploadFile, postFiles } from '../upload/multipart-helpers.js';
import { allowUnlimitedZones } from '../../mirrors/mirror-helpers.js';

let world: World;
let owner: Actor;
let admin: Actor;
let member: Actor;
let outsider: Actor;
let zone: TestZone;

beforeAll(async () => {
  world = await World.open();
  [owner, admin, member, outsider] = [
    await registerUser(world),
    await registerUser(world),
    await registerUser(world),
    await registerUser(world),
  ];
  zone = await createZone(owner);
  await joinPublicZone(zone, admin);
  await joinPublicZone(zone, member);
});
afterAll(() => world.close());

/** Requests a URL without a session. */
const fetchAddress = (url: string, headers: Record<string, string> = {}) => {
  const { pathname, search } = new URL(url);
  return supertest(world.url)
    .get(pathname + search)
    .set(headers);
};

const addressFor = async (actor: Actor, id: number): Promise<string> =>
  (await actor.client.get(`/api/files/${id}/url`).expect(200)).body.url;

describe('PATCH /api/files/:id allowDownload', () => {
  it('is restricted to those who manage the file', async () => {
    const { id } = await uploadFile(owner.client, zone.id, uniqueName('said'), 'some text');
    const change = (actor: Actor, body: object) => actor.client.patch(`/api/files/${id}`).send(body);
    const { body } = await change(owner, { allowDownload: false }).expect(200);
    expect(body).toMatchObject({ id, allowDownload: false, can: { download: true, allowDownload: true } });
    expect((await change(member, { allowDownload: true }).expect(403)).body.code).toBe('ZONE_FORBIDDEN');
    expect((await change(outsider, { allowDownload: true }).expect(404)).body.code).toBe('FILE_NOT_FOUND');
    await supertest(world.url).patch(`/api/files/${id}`).set('Sec-Fetch-Site', 'same-origin').send({}).expect(401);
    for (const wrong of [
      ...[{}, { allowDownload: null }, { allowDownload: 'no' }, { allowDownload: true, size: 1 }],
      ...[{ allowText: null }, { allowText: 'no' }, { allowText: true, allowDownload: 1 }],
    ]) {
      expect((await change(owner, wrong).expect(400)).body.code).toBe('VALIDATION_FAILED');
    }
    for (const route of ['view', 'download', 'url']) {
      expect((await member.client.get(`/api/files/${id}/${route}`).expect(403)).body).toMatchObject({
        code: 'DOWNLOAD_NOT_ALLOWED',
        message: "The owner doesn't allow downloads of this file.",
      });
    }
    await change(owner, { allowText: false }).expect(200);
    expect((await change(owner, { allowDownload: true }).expect(200)).body).toMatchObject({ allowText: false });
    await member.client.get(`/api/files/${id}/download`).expect(200);
  });
});

describe('File URL', () => {
  it('serves the file as an attachment, with ranges, counted once for its user', async () => {
    const content = randomBytes(2000);
    const { id } = await uploadFile(owner.client, zone.id, uniqueName('kept'), content);
    const url = await addressFor(member, id);
    const { body, headers } = await fetchAddress(url).expect(200);
    expect(content.equals(body)).toBe(true);
    expect(headers['content-disposition']).toMatch(/^attachment;/);
    expect(headers['cache-control']).toBe('private, no-cache');
    const part = await fetchAddress(url, { Range: 'bytes=0-9' }).expect(206);
    expect(content.subarray(0, 10).equals(part.body)).toBe(true);
    await fetchAddress(url, { 'If-None-Match': headers.etag! }).expect(304);
    await fetchAddress(url, { Range: 'bytes=2000-' }).expect(416);
    const { body: files } = await owner.client.get(`/api/zones/${zone.id}/files`).expect(200);
    expect(files.find((file: { id: number }) => file.id === id).downloadCount).toBe(1);
  });

  it('is never displayed inline', async () => {
    const { id } = await uploadFile(owner.client, zone.id, `${uniqueName('p')}.png`, PNG);
    const { headers } = await fetchAddress(await addressFor(member, id)).expect(200);
    expect(headers['content-disposition']).toMatch(/^attachment;/);
  });

  it('is available only to users with access to the file and cannot be forged', async () => {
    const [one, other] = [
      await uploadFile(owner.client, zone.id, uniqueName('one'), 'one'),
      await uploadFile(owner.client, zone.id, uniqueName('other'), 'other'),
    ];
    await outsider.client.get(`/api/files/${one.id}/url`).expect(404);
    await supertest(world.url).get(`/api/files/${one.id}/url`).expect(401);
    const url = await addressFor(member, one.id);
    const [user, expires, signature] = new URL(url).searchParams.get('token')!.split('.') as [string, string, string];
    const forged = [
      url.replace(`/${one.id}/`, `/${other.id}/`),
      url.replace(`${user}.`, `${owner.id}.`),
      url.replace(expires, String(Number(expires) + 1)),
      url.replace(signature, '0'.repeat(64)),
      url.replace(signature, ''),
    ];
    for (const address of forged) {
      expect((await fetchAddress(address).expect(403)).body.code).toBe('ADDRESS_EXPIRED');
    }
    await supertest(world.url).get(`/api/files/${one.id}/content`).expect(400);
  });
});

describeInProcess('File URL expiry and permissions', () => {
  it('expires after five minutes', async () => {
    const { id } = await uploadFile(owner.client, zone.id, uniqueName('short'), 'some text');
    const { body } = await member.client.get(`/api/files/${id}/url`).expect(200);
    world.testApp.clock.advance(4 * 60_000);
    await fetchAddress(body.url).expect(200);
    world.testApp.clock.advance(60_000);
    expect(world.testApp.clock.now().getTime()).toBeGreaterThanOrEqual(Date.parse(body.expiresAt));
    expect((await fetchAddress(body.url).expect(403)).body.code).toBe('ADDRESS_EXPIRED');
  });

  it('ends with the permission to read or download, and in the trash', async () => {
    const leaver = await registerUser(world);
    await joinPublicZone(zone, leaver);
    const { id } = await uploadFile(owner.client, zone.id, uniqueName('ends'), 'some text');
    const [his, hers] = [await addressFor(leaver, id), await addressFor(member, id)];
    await world.testApp.em().execute('delete from zone_members where user_id = ?', [leaver.id]);
    await fetchAddress(his).expect(404);
    await fetchAddress(hers).expect(200);
    await owner.client.patch(`/api/files/${id}`).send({ allowDownload: false }).expect(200);
    expect((await fetchAddress(hers).expect(403)).body.code).toBe('DOWNLOAD_NOT_ALLOWED');
    const owners = await addressFor(owner, id);
    await fetchAddress(owners).expect(200);
    await owner.client.delete(`/api/files/${id}`).expect(204);
    await fetchAddress(owners).expect(404);
  });

  it('follows the permissions of zone admins and mirrors', async () => {
    await allowUnlimitedZones(world, owner);
    await world.testApp
      .em()
      .execute(`update zone_members set role = 'admin' where zone_id = ? and user_id = ?`, [zone.id, admin.id]);
    const folder = await createFolder(owner.client, zone.id, uniqueName('source'));
    const { id } = await uploadFile(owner.client, zone.id, uniqueName('m'), 'text', `?folderId=${folder}`);
    await admin.client.patch(`/api/files/${id}`).send({ allowDownload: false }).expect(200);
    await fetchAddress(await addressFor(admin, id)).expect(200);

    const target = await createZone(owner);
    const visitor = await registerUser(world);
    await joinPublicZone(target, visitor);
    await world.testApp
      .em()
      .execute(`update zone_members set role = 'admin' where zone_id = ? and user_id = ?`, [target.id, visitor.id]);
    const mirror = {
      sourceFolderId: folder,
      targetZoneId: target.id,
      targetFolderName: 'Shown',
      mirrorType: 'one_way',
    };
    await owner.client.post(`/api/zones/${zone.id}/folder-mirrors`).send(mirror).expect(201);
    // Admins of the mirroring zone have no rights to the source.
    await visitor.client.get(`/api/files/${id}/view`).expect(403);
    await visitor.client.get(`/api/files/${id}/url`).expect(403);
    const rejected = await visitor.client.patch(`/api/files/${id}`).send({ allowDownload: true }).expect(409);
    expect(rejected.body.code).toBe('MIRROR_READ_ONLY');
  });
});

describe('Upload without a file name', () => {
  it('is rejected', async () => {
    const { body } = await postFiles(owner.client, zone.id, [{ name: '', body: 'x' }]).expect(400);
    expect(body).toMatchObject({ code: 'INVALID_NAME', errors: { files: ['Please enter a name.'] } });
  });
});
