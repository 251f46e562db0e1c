import supertest from 'supertest';
import {
  createZone,
  joinPublicZone,
  registerUser,
  uniqueName,
  type Actor,
  type TestZone,
} from '../../../support/people/actors.js';
import { World } from '../../../support/world.js';
import { createFolder, uploadFile } from '../upload/multipart-helpers.js';
import { allowUnlimitedZones } from '../../mirrors/mirror-helpers.js';

let world: World;
let owner: Actor;
let zone: TestZone;

beforeAll(async () => {
  world = await World.open();
  owner = await registerUser(world);
  zone = await createZone(owner);
});
afterAll(() => world.close());

const listAll = (actor: Actor, zoneId: number, query = '') =>
  actor.client.get(`/api/zones/${zoneId}/all-files${query}`);
const names = (body: { originalName: string }[]) => body.map(({ originalName }) => originalName);

describe('GET /api/zones/:id/all-files', () => {
  it('lists files of all folders, newest first, in pages, without the trash', async () => {
    const folder = await createFolder(owner.client, zone.id, 'Lessons');
    const deep = await createFolder(owner.client, zone.id, 'Deep', folder);
    await uploadFile(owner.client, zone.id, 'first.txt', '1');
    await uploadFile(owner.client, zone.id, 'second.txt', '22', `?folderId=${deep}`);
    const trashed = await uploadFile(owner.client, zone.id, 'gone.txt', 'x', `?folderId=${folder}`);
    await uploadFile(owner.client, zone.id, 'third.txt', '333', `?folderId=${folder}`);
    await owner.client.delete(`/api/files/${trashed.id}`).expect(204);
    const { body, headers } = await listAll(owner, zone.id).expect(200);
    expect(names(body)).toEqual(['third.txt', 'second.txt', 'first.txt']);
    expect(body).toMatchObject([
      { folderId: folder, size: 3, zoneId: zone.id, readOnly: false, can: { download: true, delete: true } },
      { folderId: deep, size: 2 },
      { folderId: null, size: 1 },
    ]);
    expect(headers['x-total-count']).toBe('3');
    expect(headers.link).toBeUndefined();

    const firstPage = await listAll(owner, zone.id, '?limit=2').expect(200);
    expect(firstPage.headers['x-total-count']).toBe('3');
    const next = /<([^>]+)>; rel="next"/.exec(firstPage.headers.link ?? '')![1]!;
    const secondPage = await owner.client.get(next).expect(200);
    expect([...names(firstPage.body), ...names(secondPage.body)]).toEqual(names(body));
    expect(secondPage.headers.link).toBeUndefined();
    await listAll(owner, zone.id, '?limit=0').expect(400);
    await listAll(owner, zone.id, '?cursor=nonsense').expect(400);
    await listAll(owner, zone.id, '?folderId=1').expect(400);
  });

  it('leaves out mirrored files', async () => {
    await allowUnlimitedZones(world, owner);
    const folder = await createFolder(owner.client, zone.id, uniqueName('source'));
    await uploadFile(owner.client, zone.id, 'shown.txt', 'x', `?folderId=${folder}`);
    const target = await createZone(owner);
    const mirror = { sourceFolderId: folder, targetZoneId: target.id, mirrorType: 'one_way' };
    await owner.client
      .post(`/api/zones/${zone.id}/folder-mirrors`)
      .send({ ...mirror, targetFolderName: 'Shown' })
      .expect(201);
    expect((await listAll(owner, target.id).expect(200)).body).toEqual([]);
  });

  it('returns files only to members, with their permissions', async () => {
    const member = await registerUser(world);
    await joinPublicZone(zone, member);
    const file = await uploadFile(owner.client, zone.id, uniqueName('kept'), 'x');
    await owner.client.patch(`/api/files/${file.id}`).send({ allowDownload: false }).expect(200);
    const { body } = await listAll(member, zone.id).expect(200);
    expect(body[0]).toMatchObject({ id: file.id, can: { download: false, delete: false } });
    const outsider = await registerUser(world);
    expect((await listAll(outsider, zone.id).expect(404)).body.code).toBe('ZONE_NOT_FOUND');
    await supertest(world.url).get(`/api/zones/${zone.id}/all-files`).expect(401);
    await listAll(owner, 999_999_999).expect(404);
  });
});
