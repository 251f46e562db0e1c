import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ResumableUploadRepository } from '../../../../src/modules/files/upload/resumable/resumable-upload.repository.js';
import { UploadCleanupService } from '../../../../src/modules/files/upload/upload-cleanup.service.js';
import { UploadReservationService } from '../../../../src/modules/files/upload/upload-reservation.service.js';
import { newObjectKey, Storage } from '../../../../src/platform/storage/storage.js';
import { FilePurgeService } from '../../../../src/modules/files/objects/file-purge.service.js';
import { whileTransactionOpen } from '../../../support/while-transaction-open.js';
import { createZone, registerUser, type Actor } from '../../../support/people/actors.js';
import { describeInProcess, World } from '../../../support/world.js';

describeInProcess('Upload cleanup', () => {
  let world: World;
  let owner: Actor;

  beforeAll(async () => {
    world = await World.open();
    owner = await registerUser(world);
  });
  afterAll(() => world.close());
  afterEach(() => jest.restoreAllMocks());

  const execute = <T extends object>(sql: string, params: unknown[] = []) =>
    world.testApp.em().execute<T[]>(sql, params);
  const drafts = () => join(world.testApp.config.dataDir, 'files/.unfinished');
  /** Leaves an upload, a process and a writer that died a year ago. */
  const leave = async () => {
    const year = `now() - interval '1 year'`;
    await execute(
      `insert into uploads (object_key, owner_id, lease_until, created_at) values (?, ?, ${year}, ${year})`,
      [newObjectKey('files'), owner.id],
    );
    await execute(
      `insert into upload_locks (id, token, held_until) values (gen_random_uuid(), gen_random_uuid(), ${year})`,
    );
    await mkdir(drafts(), { recursive: true });
    await writeFile(join(drafts(), 'draft'), 'half');
    await utimes(join(drafts(), 'draft'), new Date(1000), new Date(1000));
  };
  const readLeftovers = async () => ({
    uploads: (await execute('select 1 from uploads')).length,
    locks: (await execute('select 1 from upload_locks')).length,
    drafts: (await readdir(drafts())).length,
  });
  const run = () =>
    world.testApp.app.get(UploadCleanupService).cleanUp({} as never, { signal: new AbortController().signal } as never);
  const NOTHING_LEFT = { uploads: 0, locks: 0, drafts: 0 };
  const failing = () => Promise.reject(new Error('One step fails'));

  it.each([
    ['of uploads', UploadReservationService, 'abandonExpired', { uploads: 1 }],
    ['of uploads that ended', ResumableUploadRepository, 'deleteCompleted', {}],
    ['of drafts', Storage, 'removeUnfinished', { drafts: 1 }],
  ] as const)(
    'completes the other steps when that %s fails, and reports it',
    async (_what, service, method, remaining) => {
      await leave();
      const deleteCompleted = jest.spyOn(world.testApp.app.get(ResumableUploadRepository), 'deleteCompleted');
      jest
        .spyOn(world.testApp.app.get<Record<string, () => Promise<never>>>(service), method)
        .mockImplementation(failing);
      await expect(run()).rejects.toThrow('1 failed, the first: One step fails');
      expect(deleteCompleted).toHaveBeenCalledTimes(1);
      expect(await readLeftovers()).toEqual({ ...NOTHING_LEFT, ...remaining });
      jest.restoreAllMocks();
      await run();
      expect(await readLeftovers()).toEqual(NOTHING_LEFT);
    },
  );

  it('completes the other steps when that of locks fails, and reports it', async () => {
    await leave();
    await execute('alter table upload_locks rename to away');
    await expect(run()).rejects.toThrow('1 failed');
    await execute('alter table away rename to upload_locks');
    expect(await readLeftovers()).toEqual({ ...NOTHING_LEFT, locks: 1 });
    await run();
    expect(await readLeftovers()).toEqual(NOTHING_LEFT);
  });

  describe('of individual uploads', () => {
    /** Reserved bytes that the plan's usage doesn't contain, so that releasing them fails. */
    const BROKEN = 5;
    let other: Actor;
    beforeEach(async () => {
      other = await registerUser(world);
    });
    afterEach(() => execute('delete from uploads'));

    const insertDeadUpload = async ({ id }: Actor, reserved: number) => {
      const [row] = await execute<{ id: string }>(
        `insert into uploads (object_key, owner_id, reserved, lease_until, created_at)
         values (?, ?, ?, now() - interval '1 year', now()) returning id`,
        [newObjectKey('files'), id, reserved],
      );
      return Number(row!.id);
    };
    const uploads = async () =>
      (await execute<{ id: string }>('select id from uploads order by id')).map(({ id }) => Number(id));
    const expectNoReservation = ({ id }: Actor) =>
      execute(`insert into usage (owner_id, metric, period) values (?, 'bytes', '') on conflict do nothing`, [id]);
    const resumable = async (uploadId: number, zoneId: number) =>
      execute(
        `insert into resumable_uploads (id, upload_id, user_id, zone_id, name, length, expires_at, created_at)
         values (gen_random_uuid(), ?, ?, ?, 'film.mp4', 10, now() + interval '1 day', now())`,
        [uploadId, owner.id, zoneId],
      );

    it('continues after one that cannot be undone and reports it', async () => {
      await expectNoReservation(owner);
      const first = await insertDeadUpload(owner, BROKEN);
      await insertDeadUpload(other, 0);
      await expect(run()).rejects.toThrow('1 failed, the first: 1 failed');
      expect(await uploads()).toEqual([first]);
    });

    it('releases a deleted zone that has none of the failing ones', async () => {
      await expectNoReservation(other);
      const { id: zoneId } = await createZone(owner);
      const otherUpload = await insertDeadUpload(other, BROKEN);
      await resumable(await insertDeadUpload(owner, 0), zoneId);
      await world.testApp.app.get(FilePurgeService).purgeZone(world.testApp.em(), { zoneId, ownerId: owner.id });
      expect(await uploads()).toEqual([otherUpload]);
    });

    it('keeps an upload that is resumed concurrently', async () => {
      const { id: zoneId } = await createZone(other);
      const id = await insertDeadUpload(owner, 0);
      await resumable(id, zoneId);
      const continuation = {
        sql: `update resumable_uploads set received = 1 where upload_id = ${id}`,
        then: `update uploads set lease_until = now() + interval '1 day' where id = ${id}`,
      };
      await whileTransactionOpen(world, continuation, run);
      expect(await uploads()).toEqual([id]);
    });
  });
});
