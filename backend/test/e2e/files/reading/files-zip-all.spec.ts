import { createZone, joinPublicZone, registerUser, type Actor } from '../../../support/people/actors.js';
import { World } from '../../../support/world.js';
import { createFolder, uploadFile } from '../upload/multipart-helpers.js';
import { downloadArchive, requestArchive } from './archive-helpers.js';

let world: World;
let owner: Actor;
let member: Actor;

beforeAll(async () => {
  world = await World.open();
  owner = await registerUser(world);
  member = await registerUser(world);
});
afterAll(() => world.close());

describe('Download of a whole zone', () => {
  it('contains everything that the viewer may download', async () => {
    const all = await createZone(owner, { name: 'Whole Course' });
    await joinPublicZone(all, member);
    const empty = await requestArchive(member, all.id, { all: true }).expect(404);
    expect(empty.body.code).toBe('NOTHING_TO_DOWNLOAD');
    const folder = await createFolder(owner.client, all.id, 'Week 1');
    const nested = await createFolder(owner.client, all.id, 'Notes', folder);
    await uploadFile(owner.client, all.id, 'deep.txt', 'deep', `?folderId=${nested}`);
    const response = await requestArchive(member, all.id, { all: true }).expect(200);
    expect(response.headers['content-disposition']).toContain('filename="Whole Course.zip"');
    await uploadFile(owner.client, all.id, 'top.txt', 'top');
    const keptFile = await uploadFile(owner.client, all.id, 'kept.txt', 'kept');
    const trashed = await uploadFile(owner.client, all.id, 'gone.txt', 'gone');
    await owner.client.patch(`/api/files/${keptFile.id}`).send({ allowDownload: false }).expect(200);
    await owner.client.delete(`/api/files/${trashed.id}`).expect(204);
    const paths = async (actor: Actor) => [...(await downloadArchive(actor, all.id, { all: true })).keys()].sort();
    const members = ['Week 1/', 'Week 1/Notes/', 'Week 1/Notes/deep.txt', 'top.txt'];
    expect(await paths(member)).toEqual(members);
    expect(await paths(owner)).toEqual([...members, 'kept.txt'].sort());
    const form = await member.client.post(`/api/zones/${all.id}/download`).type('form').send('all=true');
    expect(form.status).toBe(200);
    for (const body of ['all=1', 'all=true&all=true']) {
      await member.client.post(`/api/zones/${all.id}/download`).type('form').send(body).expect(400);
    }
    await requestArchive(await registerUser(world), all.id, { all: true }).expect(404);
  });
});
