import { readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { RequestContext } from '@mikro-orm/core';
import { UploadCleanupService } from '../../../../src/modules/files/upload/upload-cleanup.service.js';
import { createZone, registerUser, uniqueName, type Actor, type TestZone } from '../../../support/people/actors.js';
import { describeInProcess, World } from '../../../support/world.js';
import {
  buildMultipart,
  createFolder,
  openUpload,
  uploadFile,
  postFiles,
  pollUntil,
} from '../upload/multipart-helpers.js';

const MB = 2 ** 20;

describeInProcess('Leftovers of uploads', () => {
  let world: World;
  let owner: Actor;
  let zone: TestZone;

  beforeAll(async () => {
    world = await World.open();
    owner = await registerUser(world);
    zone = await createZone(owner);
    await uploadFile(
      owner.client,
      zone.id,
      'first',
      'x',
      `?folderId=${await createFolder(owner.client, zone.id, 'first')}`,
    );
  });
  afterAll(() => world.close());

  const list = async (query = '') => (await owner.client.get(`/api/zones/${zone.id}/files${query}`).expect(200)).body;
  const execute = (sql: string, params: unknown[] = []) => world.testApp.em().getConnection().execute(sql, params);
  /** The objects left after the jobs have deleted unreferenced ones. */
  const listObjects = async () => {
    await world.testApp.drain();
    const entries = await readdir(join(world.testApp.config.dataDir, 'files'), {
      recursive: true,
      withFileTypes: true,
    });
    return entries.filter((entry) => entry.isFile()).length;
  };
  const readUsage = async (ownerId: number) => {
    const sql = `select used, reserved from usage where owner_id = ? and metric = 'bytes'`;
    const [row] = (await execute(sql, [ownerId])) as { used: string; reserved: string }[];
    return { used: Number(row?.used ?? 0), reserved: Number(row?.reserved ?? 0) };
  };
  const readLeftovers = async (ownerId: number) => ({
    objects: await listObjects(),
    intents: (await execute('select id from uploads where owner_id = ?', [ownerId])).length,
    ...(await readUsage(ownerId)),
  });

  it('are removed when the connection is cut', async () => {
    const before = await readLeftovers(owner.id);
    const { type, body } = buildMultipart(
      { name: 'whole.txt', body: 'x' },
      { name: 'cut.bin', body: Buffer.alloc(20 * MB) },
    );
    const upload = openUpload(world, owner, zone.id, type, body.length);
    await upload.write(body.subarray(0, 9 * MB));
    await pollUntil(async () => (await readLeftovers(owner.id)).reserved > before.reserved + 8 * MB);
    expect((await readLeftovers(owner.id)).intents).toBe(2);
    upload.abort();
    await pollUntil(async () => (await readLeftovers(owner.id)).intents === 0);
    expect(await readLeftovers(owner.id)).toEqual(before);
    expect(await list()).toEqual([]);
  });

  it('are removed when the request is rejected', async () => {
    await uploadFile(owner.client, zone.id, 'taken.txt', 'x');
    const before = await readLeftovers(owner.id);
    const large = Buffer.alloc(MB);
    for (const parts of [
      [
        { name: 'a', body: large },
        { name: 'taken.txt', body: large },
      ],
      [
        { name: 'a', body: large },
        { name: '..', body: large },
      ],
      [
        { name: 'a', body: large },
        { field: 'folderId', body: '1' },
      ],
    ]) {
      const { status } = await postFiles(owner.client, zone.id, parts);
      expect([400, 409]).toContain(status);
      expect(await readLeftovers(owner.id)).toEqual(before);
    }
  });

  it('are one complete file each when the bytes arrive in later packets', async () => {
    const before = await readLeftovers(owner.id);
    const folderId = await createFolder(owner.client, zone.id, uniqueName('later'));
    const { type, body } = buildMultipart(
      { field: 'folderId', body: String(folderId) },
      { name: 'large.bin', body: Buffer.alloc(20 * MB, 'x') },
      { name: 'last.txt', body: 'last' },
    );
    const upload = openUpload(world, owner, zone.id, type, body.length);
    for (const [from, to] of [
      [0, 9 * MB],
      [9 * MB, 17 * MB],
    ] as const) {
      await upload.write(body.subarray(from, to));
      await pollUntil(async () => (await readUsage(owner.id)).reserved >= before.reserved + to - MB);
    }
    await upload.write(body.subarray(17 * MB));
    expect(await upload.status()).toBe(201);
    const stored = { ...before, objects: before.objects + 2, used: before.used + 20 * MB + 4 };
    expect(await readLeftovers(owner.id)).toEqual(stored);
    expect(await list(`?folderId=${folderId}`)).toMatchObject([{ name: 'large.bin' }, { name: 'last.txt', size: 4 }]);
  });

  it('are removed when the storage fails', async () => {
    const before = await readLeftovers(owner.id);
    const folder = join(world.testApp.config.dataDir, 'files');
    await rename(folder, `${folder}.away`);
    await writeFile(folder, 'a file where the folder should be');
    const { body } = await postFiles(owner.client, zone.id, [{ name: 'a.txt', body: 'x' }]).expect(503);
    expect(body.code).toBe('STORAGE_UNAVAILABLE');
    await rm(folder);
    await rename(`${folder}.away`, folder);
    await runSweepAfter(owner.id);
    expect(await readLeftovers(owner.id)).toEqual(before);
  });

  it.each([
    ['while it still reserves storage', MB, 8 * MB],
    ['after all storage was reserved', 9 * MB, 12 * MB],
  ])('are removed by the sweep when the upload seems abandoned %s', async (_when, sent, reservedBytes) => {
    const before = await readLeftovers(owner.id);
    const { type, body } = buildMultipart({ name: 'never.bin', body: Buffer.alloc(12 * MB) });
    const upload = openUpload(world, owner, zone.id, type, body.length);
    await upload.write(body.subarray(0, sent));
    await pollUntil(async () => (await readUsage(owner.id)).reserved >= before.reserved + reservedBytes);
    await runSweepAfter(owner.id);
    expect(await readUsage(owner.id)).toEqual({ used: before.used, reserved: before.reserved });
    await upload.write(body.subarray(sent));
    expect(await upload.status()).toBe(409);
    await pollUntil(async () => (await listObjects()) === before.objects);
    expect(await readLeftovers(owner.id)).toEqual(before);
  });

  it('count as many used bytes as were stored', async () => {
    const user = await registerUser(world);
    const own = await createZone(user);
    await uploadFile(user.client, own.id, 'a.bin', Buffer.alloc(3 * MB));
    const { id } = await uploadFile(user.client, own.id, 'empty', '');
    await uploadFile(user.client, own.id, 'b.bin', Buffer.alloc(12_345));
    expect(await readUsage(user.id)).toEqual({ used: 3 * MB + 12_345, reserved: 0 });
    await user.client.delete(`/api/files/${id}`).expect(204);
    expect(await readUsage(user.id)).toEqual({ used: 3 * MB + 12_345, reserved: 0 });
    const [stats] = await execute('select bytes, files from zone_stats where zone_id = ?', [own.id]);
    expect(stats).toMatchObject({ files: 2 });
    expect(Number(stats!.bytes)).toBe(3 * MB + 12_345);
  });

  /** Expires the leases of an owner's uploads and runs the sweep. */
  async function runSweepAfter(ownerId: number): Promise<void> {
    await execute(`update uploads set lease_until = now() - interval '1 minute' where owner_id = ?`, [ownerId]);
    const cleanup = world.testApp.app.get(UploadCleanupService, { strict: false });
    const job = { id: 1, attempt: 1, isLastAttempt: false, signal: new AbortController().signal };
    await RequestContext.create(world.testApp.em(), () => cleanup.cleanUp({ slot: '' }, job));
  }
});
