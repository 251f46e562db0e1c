import { readdir } from 'node:fs/promises';
import { join as pathOf } from 'node:path';
import {
  createZone,
  joinPublicZone,
  registerUser,
  uniqueName,
  type Actor,
  type TestZone,
} from '../../../support/people/actors.js';
import { describeInProcess, World } from '../../../support/world.js';
import { createFolder, uploadFile } from './multipart-helpers.js';
import { createUpload, requestOffset, sendChunk } from './files-tus.js';
import { allowUnlimitedZones } from '../../mirrors/mirror-helpers.js';

const MB = 2 ** 20;

describeInProcess('Resumable upload whose target no longer exists', () => {
  let world: World;
  let owner: Actor;
  let zone: TestZone;

  beforeAll(async () => {
    world = await World.open();
  });
  beforeEach(async () => {
    owner = await registerUser(world);
    zone = await createZone(owner);
    await uploadFile(owner.client, zone.id, 'first', 'x');
  });
  afterAll(() => world.close());

  const execute = <T extends object>(sql: string, params: unknown[] = []) =>
    world.testApp.em().execute<T[]>(sql, params);
  /** The state after unreferenced objects have been deleted. */
  const readLeftovers = async () => {
    await world.testApp.drain();
    const folder = pathOf(world.testApp.config.dataDir, 'files');
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const [row] = await execute<{ used: string; reserved: string }>(
      `select used, reserved from usage where owner_id = ? and metric = 'bytes'`,
      [owner.id],
    );
    const intents = await execute('select id from uploads where owner_id = ?', [owner.id]);
    const uploads = await execute('select id from resumable_uploads where upload_id is not null');
    return {
      objects: entries.filter((entry) => entry.isFile()).length,
      intents: intents.length,
      uploads: uploads.length,
      used: Number(row!.used),
      reserved: Number(row!.reserved),
    };
  };

  /** A user who may upload to the owner's zone. */
  async function createHelper(): Promise<Actor> {
    const helper = await registerUser(world);
    await joinPublicZone(zone, helper);
    await promote(helper, 'admin');
    return helper;
  }
  const promote = (helper: Actor, role: string) =>
    execute('update zone_members set role = ? where zone_id = ? and user_id = ?', [role, zone.id, helper.id]);

  it('is released when the user loses the right to upload', async () => {
    const helper = await createHelper();
    const before = await readLeftovers();
    const address = await createUpload(helper.client, zone, uniqueName('lost'), 20 * MB);
    await sendChunk(helper.client, address, 0, Buffer.alloc(9 * MB)).expect(204);
    await promote(helper, 'member');
    expect((await sendChunk(helper.client, address, 9 * MB, 'x').expect(403)).body.code).toBe('ZONE_FORBIDDEN');
    expect(await readLeftovers()).toEqual(before);
    await requestOffset(helper.client, address).expect(404);
    await sendChunk(helper.client, address, 9 * MB, 'x').expect(404);
  });

  it('is released when its folder is in the trash, or purged with the folder', async () => {
    const before = await readLeftovers();
    const inTrash = await createFolder(owner.client, zone.id, uniqueName('trashed'));
    const rejected = await createUpload(owner.client, zone, 'refused', 9 * MB, { folderId: inTrash });
    const silentUpload = await createUpload(owner.client, zone, 'silent', 9 * MB, { folderId: inTrash });
    await sendChunk(owner.client, silentUpload, 0, Buffer.alloc(8 * MB)).expect(204);
    await owner.client.delete(`/api/folders/${inTrash}`).expect(204);
    await sendChunk(owner.client, rejected, 0, 'x').expect(404);
    expect(await readLeftovers()).toMatchObject({ reserved: before.reserved + 9 * MB, intents: before.intents + 1 });
    await owner.client
      .post(`/api/zones/${zone.id}/trash/purge`)
      .send({ folderIds: [inTrash] })
      .expect(200);
    await world.testApp.drain();
    expect(await readLeftovers()).toEqual(before);
    await requestOffset(owner.client, silentUpload).expect(404);
  });

  it('is released with its zone without another request', async () => {
    const before = await readLeftovers();
    await allowUnlimitedZones(world, owner);
    const other = await createZone(owner);
    const address = await createUpload(owner.client, other, 'left', 20 * MB);
    await sendChunk(owner.client, address, 0, Buffer.alloc(9 * MB)).expect(204);
    expect(await readLeftovers()).toMatchObject({ reserved: before.reserved + 20 * MB });
    await owner.client.delete(`/api/zones/${other.id}`).expect(204);
    await world.testApp.drain();
    expect(await readLeftovers()).toEqual(before);
    await requestOffset(owner.client, address).expect(404);
  });
});
