import { joinPublicZone, registerUser } from '../../../support/people/actors.js';
import { describeInProcess, World } from '../../../support/world.js';
import { FilesZone } from '../files-zone.js';
import { replaceFile } from '../versions/version-helpers.js';
import { createUpload, postUpload, sendChunk } from './files-tus.js';
import { postFiles } from './multipart-helpers.js';

const MB = 2 ** 20;
const GB = 2 ** 30;

let world: World;

const execute = (sql: string, params: unknown[]) => world.testApp.em().execute(sql, params);
const setPlan = (userId: number, plan: string) => execute('update users set plan = ? where id = ?', [plan, userId]);
const unlimitStorage = (ownerId: number) =>
  execute(`update usage set allowed = null where owner_id = ? and metric = 'bytes'`, [ownerId]);

beforeAll(async () => {
  world = await World.open();
});
afterAll(() => world.close());

describeInProcess('The size of one file', () => {
  it.each([
    ['free', 100 * MB, '100 MB'],
    ['starter', 2 * GB, '2 GB'],
    ['creator', 5 * GB, '5 GB'],
    ['pro-creator', 10 * GB, '10 GB'],
    ['enterprise', 50 * GB, '50 GB'],
  ])('is that of the plan %s', async (plan, bytes, text) => {
    const { owner, zone } = await FilesZone.open(world);
    await unlimitStorage(owner.id);
    await setPlan(owner.id, plan);
    expect((await owner.client.get(`/api/zones/${zone.id}`).expect(200)).body.maxFileBytes).toBe(bytes);
    await postUpload(owner.client, zone, 'a.mov', bytes).expect(201);
    const { body } = await postUpload(owner.client, zone, 'b.mov', bytes + 1).expect(413);
    expect(body).toMatchObject({ code: 'FILE_TOO_LARGE' });
    expect(body.message).toContain(`“b.mov” is too large. A file can be up to ${text}.`);
  });

  it('is decided by the plan of the owner when an admin of the zone uploads, and unknown to members', async () => {
    const { owner, zone } = await FilesZone.open(world);
    const [admin, member] = [await registerUser(world), await registerUser(world)];
    for (const person of [admin, member]) await joinPublicZone(zone, person);
    await execute(`update zone_members set role = 'admin' where zone_id = ? and user_id = ?`, [zone.id, admin.id]);
    await setPlan(admin.id, 'creator');
    await postUpload(admin.client, zone, 'a.mov', 100 * MB + 1).expect(413);
    await unlimitStorage(owner.id);
    await setPlan(owner.id, 'starter');
    await setPlan(admin.id, 'free');
    await postUpload(admin.client, zone, 'a.mov', 2 * GB).expect(201);
    expect((await member.client.get(`/api/zones/${zone.id}`).expect(200)).body.maxFileBytes).toBeNull();
  });

  it('is capped by MAX_FILE_SIZE, for forms, replacements and resumable uploads', async () => {
    const capped = await World.open({ MAX_FILE_SIZE: '1MB' });
    const files = await FilesZone.open(capped);
    const { client } = files.owner;
    const { id } = await files.uploadFile('a.txt', undefined, Buffer.alloc(MB, 'a'));
    const tooLarge = Buffer.alloc(MB + 1, 'b');
    const answers = [
      await postFiles(client, files.zone.id, [{ name: 'b.txt', body: tooLarge }]).expect(413),
      await replaceFile(client, id, 'a.txt', tooLarge).expect(413),
      await postUpload(client, files.zone, 'c.txt', MB + 1).expect(413),
    ];
    expect(answers.map(({ body }) => body.code)).toEqual(['FILE_TOO_LARGE', 'FILE_TOO_LARGE', 'FILE_TOO_LARGE']);
    expect(await files.listNames('files')).toEqual(['a.txt']);
    const { headers } = await client.options('/api/uploads').expect(204);
    expect(headers['tus-max-size']).toBe(String(MB));
    await capped.close();
  });

  it('lets an upload end that began with a larger plan, and its earlier versions come back', async () => {
    const files = await FilesZone.open(world);
    const { client } = files.owner;
    await unlimitStorage(files.owner.id);
    await setPlan(files.owner.id, 'starter');
    const size = 101 * MB;
    const address = await createUpload(client, files.zone, 'a.txt', size);
    await sendChunk(client, address, 0, Buffer.alloc(MB, 'a')).expect(204);
    await setPlan(files.owner.id, 'free');
    const { headers } = await sendChunk(client, address, MB, Buffer.alloc(size - MB, 'a')).expect(204);
    const id = Number(headers['x-file-id']);
    await replaceFile(client, id, 'a.txt', 'small').expect(201);
    const { body } = await client.post(`/api/files/${id}/versions/1/restore`).expect(201);
    expect(body).toMatchObject({ size, version: 3 });
  });
});
