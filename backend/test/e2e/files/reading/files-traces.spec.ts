import { readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { RequestContext } from '@mikro-orm/core';
import { UploadCleanupService } from '../../../../src/modules/files/upload/upload-cleanup.service.js';
import { createZone, register, unique, type Actor, type TestZone } from '../../../support/people/actors.js';
import { describeInProcess, World } from '../../../support/world.js';
import { form, makeFolder, open, put, send, until } from '../upload/files-forms.js';

const MB = 2 ** 20;

describeInProcess('what uploads leave behind', () => {
  let world: World;
  let owner: Actor;
  let zone: TestZone;

  beforeAll(async () => {
    world = await World.open();
    owner = await register(world);
    zone = await createZone(owner);
    await put(owner.client, zone.id, 'first', 'x', `?folderId=${await makeFolder(owner.client, zone.id, 'first')}`);
  });
  afterAll(() => world.close());

  const list = async (query = '') => (await owner.client.get(`/api/zones/${zone.id}/files${query}`).expect(200)).body;
  const execute = (sql: string, params: unknown[] = []) => world.inside.em().getConnection().execute(sql, params);
  /** Once the job has deleted what is not wanted any more. */
  const objects = async () => {
    await world.inside.drain();
    const entries = await readdir(join(world.inside.config.dataDir, 'files'), { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).length;
  };
  const usage = async (ownerId: number) => {
    const sql = `select used, reserved from usage where owner_id = ? and metric = 'bytes'`;
    const [row] = (await execute(sql, [ownerId])) as { used: string; reserved: string }[];
    return { used: Number(row?.used ?? 0), reserved: Number(row?.reserved ?? 0) };
  };
  const traces = async (ownerId: number) => ({
    objects: await objects(),
    intents: (await execute('select id from uploads where owner_id = ?', [ownerId])).length,
    ...(await usage(ownerId)),
  });

  it('nothing, when the connection is cut', async () => {
    const before = await traces(owner.id);
    const { type, body } = form({ name: 'whole.txt', body: 'x' }, { name: 'cut.bin', body: Buffer.alloc(20 * MB) });
    const upload = open(world, owner, zone.id, type, body.length);
    await upload.write(body.subarray(0, 9 * MB));
    await until(async () => (await traces(owner.id)).reserved > before.reserved + 8 * MB);
    expect((await traces(owner.id)).intents).toBe(2);
    upload.cut();
    await until(async () => (await traces(owner.id)).intents === 0);
    expect(await traces(owner.id)).toEqual(before);
    expect(await list()).toEqual([]);
  });

  it('nothing, when the request is refused', async () => {
    await put(owner.client, zone.id, 'taken.txt', 'x');
    const before = await traces(owner.id);
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
      const { status } = await send(owner.client, zone.id, parts);
      expect([400, 409]).toContain(status);
      expect(await traces(owner.id)).toEqual(before);
    }
  });

  it('a file, when its bytes and its neighbours come in later packets', async () => {
    const before = await traces(owner.id);
    const folderId = await makeFolder(owner.client, zone.id, unique('later'));
    const { type, body } = form(
      { field: 'folderId', body: String(folderId) },
      { name: 'large.bin', body: Buffer.alloc(20 * MB, 'x') },
      { name: 'last.txt', body: 'last' },
    );
    const upload = open(world, owner, zone.id, type, body.length);
    for (const [from, to] of [
      [0, 9 * MB],
      [9 * MB, 17 * MB],
    ] as const) {
      await upload.write(body.subarray(from, to));
      await until(async () => (await usage(owner.id)).reserved >= before.reserved + to - MB);
    }
    await upload.write(body.subarray(17 * MB));
    expect(await upload.status()).toBe(201);
    const stored = { ...before, objects: before.objects + 2, used: before.used + 20 * MB + 4 };
    expect(await traces(owner.id)).toEqual(stored);
    expect(await list(`?folderId=${folderId}`)).toMatchObject([{ name: 'large.bin' }, { name: 'last.txt', size: 4 }]);
  });

  it('nothing, when the storage fails', async () => {
    const before = await traces(owner.id);
    const folder = join(world.inside.config.dataDir, 'files');
    await rename(folder, `${folder}.away`);
    await writeFile(folder, 'a file where the folder should be');
    const { body } = await send(owner.client, zone.id, [{ name: 'a.txt', body: 'x' }]).expect(503);
    expect(body.code).toBe('STORAGE_UNAVAILABLE');
    await rm(folder);
    await rename(`${folder}.away`, folder);
    await runSweepAfter(owner.id);
    expect(await traces(owner.id)).toEqual(before);
  });

  it.each([
    ['while it still reserves', MB, 8 * MB],
    ['after all was reserved', 9 * MB, 12 * MB],
  ])('nothing, when it seems dead %s: the sweep finds it by its intent', async (_when, sent, held) => {
    const before = await traces(owner.id);
    const { type, body } = form({ name: 'never.bin', body: Buffer.alloc(12 * MB) });
    const upload = open(world, owner, zone.id, type, body.length);
    await upload.write(body.subarray(0, sent));
    await until(async () => (await usage(owner.id)).reserved >= before.reserved + held);
    await runSweepAfter(owner.id);
    expect(await usage(owner.id)).toEqual({ used: before.used, reserved: before.reserved });
    await upload.write(body.subarray(sent));
    expect(await upload.status()).toBe(409);
    await until(async () => (await objects()) === before.objects);
    expect(await traces(owner.id)).toEqual(before);
  });

  it('as many bytes used as were stored', async () => {
    const somebody = await register(world);
    const own = await createZone(somebody);
    await put(somebody.client, own.id, 'a.bin', Buffer.alloc(3 * MB));
    const { id } = await put(somebody.client, own.id, 'empty', '');
    await put(somebody.client, own.id, 'b.bin', Buffer.alloc(12_345));
    expect(await usage(somebody.id)).toEqual({ used: 3 * MB + 12_345, reserved: 0 });
    await somebody.client.delete(`/api/files/${id}`).expect(204);
    expect(await usage(somebody.id)).toEqual({ used: 3 * MB + 12_345, reserved: 0 });
    const [stats] = await execute('select bytes, files from zone_stats where zone_id = ?', [own.id]);
    expect(stats).toMatchObject({ files: 2 });
    expect(Number(stats!.bytes)).toBe(3 * MB + 12_345);
  });

  /** Lets the leases of an owner's uploads run out and sweeps. */
  async function runSweepAfter(ownerId: number): Promise<void> {
    await execute(`update uploads set lease_until = now() - interval '1 minute' where owner_id = ?`, [ownerId]);
    const cleanup = world.inside.app.get(UploadCleanupService, { strict: false });
    const job = { id: 1, attempt: 1, isLastAttempt: false, signal: new AbortController().signal };
    await RequestContext.create(world.inside.em(), () => cleanup.cleanUp({ slot: '' }, job));
  }
});
