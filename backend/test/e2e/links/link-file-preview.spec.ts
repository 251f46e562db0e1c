import { createZone, registerUser, type Actor } from '../../support/people/actors.js';
import { World } from '../../support/world.js';
import { createFolder, uploadFile } from '../files/upload/multipart-helpers.js';
import { allowUnlimitedZones } from '../mirrors/mirror-helpers.js';
import { createLink } from './link-helpers.js';

let world: World;
let owner: Actor;
beforeAll(async () => {
  world = await World.open();
});
beforeEach(async () => {
  owner = await registerUser(world);
});
afterAll(() => world.close());

/** The preview that signed-out users see through a public link. */
async function readPreview(publicLink: string | null): Promise<object> {
  const { body } = await world.createClient().get(`/api/public-zones/${publicLink}`).expect(200);
  const { firstFiles, moreFiles } = body as { firstFiles: object[]; moreFiles: number };
  return { firstFiles, moreFiles };
}
const filesNamed = (...names: string[]) => names.map((name) => ({ name, mimeType: 'text/plain' }));
const nothing = { firstFiles: [], moreFiles: 0 };

describe('File preview of a link', () => {
  it('lists the first six files by name and the number of others', async () => {
    const zone = await createZone(owner);
    expect(await readPreview(zone.publicLink)).toEqual(nothing);
    const folder = await createFolder(owner.client, zone.id, 'Week 1');
    await uploadFile(owner.client, zone.id, 'deep.txt', 'x', `?folderId=${folder}`);
    for (const letter of 'gfedcba') await uploadFile(owner.client, zone.id, `${letter}.txt`, letter);
    const deletedFile = await uploadFile(owner.client, zone.id, '0.txt', 'x');
    await owner.client.delete(`/api/files/${deletedFile.id}`).expect(204);
    const firstFiles = filesNamed('a.txt', 'b.txt', 'c.txt', 'd.txt', 'e.txt', 'f.txt');
    expect(await readPreview(zone.publicLink)).toEqual({ firstFiles, moreFiles: 2 });
    const { body } = await owner.client.get(`/api/zones/${zone.id}/visitor-preview`).expect(200);
    expect(body).toMatchObject({ firstFiles, moreFiles: 2 });
  });

  it('lists folders when there are no files beside them, but no mirrors of other zones', async () => {
    await allowUnlimitedZones(world, owner);
    const source = await createZone(owner);
    const shown = await createFolder(owner.client, source.id, 'Elsewhere');
    const zone = await createZone(owner);
    const week = await createFolder(owner.client, zone.id, 'Week 1');
    await uploadFile(owner.client, zone.id, 'deep.txt', 'x', `?folderId=${week}`);
    const mirror = {
      sourceFolderId: shown,
      targetZoneId: zone.id,
      targetFolderName: 'A mirror',
      mirrorType: 'one_way',
    };
    await owner.client.post(`/api/zones/${source.id}/folder-mirrors`).send(mirror).expect(201);
    expect(await readPreview(zone.publicLink)).toEqual({
      firstFiles: [{ name: 'Week 1', mimeType: null }],
      moreFiles: 1,
    });
  });

  it('is empty for a zone that requires approval, unless the owner enables it', async () => {
    const zone = await createZone(owner, { autoJoin: false });
    await uploadFile(owner.client, zone.id, 'notes.txt', 'x');
    expect(await readPreview(zone.publicLink)).toEqual(nothing);
    await owner.client.patch(`/api/zones/${zone.id}`).send({ showFiles: true }).expect(200);
    expect(await readPreview(zone.publicLink)).toEqual({ firstFiles: filesNamed('notes.txt'), moreFiles: 0 });
  });

  it('is empty when the owner disables it or the link has a password', async () => {
    const zone = await createZone(owner, { type: 'private' });
    await uploadFile(owner.client, zone.id, 'notes.txt', 'x');
    const [open, locked] = [
      await createLink({ owner, zone }),
      await createLink({ owner, zone }, { password: 'tulips' }),
    ];
    const openPreview = async (token: string) =>
      (await world.createClient().get(`/api/temporary-links/${token}`).expect(200)).body as object;
    expect(await openPreview(open.token)).toMatchObject({ firstFiles: filesNamed('notes.txt'), moreFiles: 0 });
    expect(await openPreview(locked.token)).toMatchObject(nothing);
    const before = (await owner.client.get(`/api/zones/${zone.id}`)).body as { version: number; showFiles: boolean };
    expect(before.showFiles).toBe(true);
    const { body } = await owner.client.patch(`/api/zones/${zone.id}`).send({ showFiles: false }).expect(200);
    expect(body).toMatchObject({ showFiles: false, version: before.version + 1 });
    expect(await openPreview(open.token)).toMatchObject(nothing);
    await owner.client.patch(`/api/zones/${zone.id}`).send({ showFiles: 'no' }).expect(400);
  });
});
