import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ResumableUploads } from '../../../../src/modules/files/upload/resumable/resumable-uploads.service.js';
import { UploadCleanup } from '../../../../src/modules/files/upload/upload-cleanup.js';
import { UploadReservations } from '../../../../src/modules/files/upload/upload-reservations.service.js';
import { newKey, Storage } from '../../../../src/platform/storage/storage.js';
import { register, type Actor } from '../../../support/people/actors.js';
import { describeInProcess, World } from '../../../support/world.js';

describeInProcess('the cleanup after uploads', () => {
  let world: World;
  let owner: Actor;

  beforeAll(async () => {
    world = await World.open();
    owner = await register(world);
  });
  afterAll(() => world.close());
  afterEach(() => jest.restoreAllMocks());

  const execute = <T extends object>(sql: string, params: unknown[] = []) =>
    world.inside.em().execute<T[]>(sql, params);
  const drafts = () => join(world.inside.config.dataDir, 'files/.unfinished');
  /** What an upload, a process and a writer leave that died a year ago. */
  const leave = async () => {
    const year = `now() - interval '1 year'`;
    await execute(
      `insert into uploads (object_key, owner_id, lease_until, created_at) values (?, ?, ${year}, ${year})`,
      [newKey('files'), owner.id],
    );
    await execute(
      `insert into upload_locks (id, token, held_until) values (gen_random_uuid(), gen_random_uuid(), ${year})`,
    );
    await mkdir(drafts(), { recursive: true });
    await writeFile(join(drafts(), 'draft'), 'half');
    await utimes(join(drafts(), 'draft'), new Date(1000), new Date(1000));
  };
  const left = async () => ({
    uploads: (await execute('select 1 from uploads')).length,
    locks: (await execute('select 1 from upload_locks')).length,
    drafts: (await readdir(drafts())).length,
  });
  const run = () =>
    world.inside.app.get(UploadCleanup).run({} as never, { signal: new AbortController().signal } as never);
  const ALL_GONE = { uploads: 0, locks: 0, drafts: 0 };
  const failing = () => Promise.reject(new Error('One step fails'));

  it.each([
    ['of uploads', UploadReservations, 'abandonExpired', { uploads: 1 }],
    ['of uploads that ended', ResumableUploads, 'forgetDone', {}],
    ['of drafts', Storage, 'removeUnfinished', { drafts: 1 }],
  ] as const)('does the rest when that %s fails, and tells it', async (_what, service, method, stays) => {
    await leave();
    const forget = jest.spyOn(world.inside.app.get(ResumableUploads), 'forgetDone');
    jest.spyOn(world.inside.app.get<Record<string, () => Promise<never>>>(service), method).mockImplementation(failing);
    await expect(run()).rejects.toThrow('1 failed, the first: One step fails');
    expect(forget).toHaveBeenCalledTimes(1);
    expect(await left()).toEqual({ ...ALL_GONE, ...stays });
    jest.restoreAllMocks();
    await run();
    expect(await left()).toEqual(ALL_GONE);
  });

  it('does the rest when that of locks fails, and tells it', async () => {
    await leave();
    await execute('alter table upload_locks rename to away');
    await expect(run()).rejects.toThrow('1 failed');
    await execute('alter table away rename to upload_locks');
    expect(await left()).toEqual({ ...ALL_GONE, locks: 1 });
    await run();
    expect(await left()).toEqual(ALL_GONE);
  });
});
