import { readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { UploadCleanupService } from '../../../../src/modules/files/upload/upload-cleanup.service.js';
import { DAY } from '../../../../src/platform/clock/clock.js';
import type { World } from '../../../support/world.js';
import { MARK_OBJECT_NAME } from '../../../../src/platform/storage/ownership/storage-mark.js';

/** Files of writes in progress in a suite's storage, and growing files of uploads. */
export const isUnfinished = ({ parentPath }: { parentPath: string }) => parentPath.includes('.unfinished');

/** What a dead process has left in the database and the storage folder. */
export class CrashLeftovers {
  constructor(private readonly world: World) {}

  query<T extends object>(sql: string, params: unknown[] = []): Promise<T[]> {
    return this.world.testApp.em().execute<T[]>(sql, params);
  }

  async listStoredFiles() {
    const root = join(this.world.testApp.config.dataDir, 'files');
    const all = await readdir(root, { recursive: true, withFileTypes: true });
    return all.filter((entry) => entry.isFile() && entry.name !== MARK_OBJECT_NAME);
  }

  /** Runs the scheduled cleanup after ageing everything that was left. */
  async cleanUp(): Promise<void> {
    const oldEnough = (Date.now() - 2 * DAY) / 1000;
    for (const { parentPath, name } of (await this.listStoredFiles()).filter(isUnfinished))
      await utimes(join(parentPath, name), oldEnough, oldEnough);
    const cleanup = this.world.testApp.app.get(UploadCleanupService);
    await cleanup.cleanUp({} as never, { signal: new AbortController().signal } as never);
    await this.world.testApp.drain();
  }

  /** Checks that usage equals the files' sizes, nothing is reserved, and every object belongs to a file or a version. */
  async expectNone(): Promise<void> {
    const usage = await this.query<{ owner: number; used: string; reserved: string }>(
      `select owner_id as owner, used, reserved from usage where metric = 'bytes' and (used > 0 or reserved > 0)`,
    );
    const files = await this.query<{ owner: number; object_key: string; size: string }>(
      `select z.owner_id as owner, f.object_key, f.size from files f join zones z on z.id = f.zone_id
      union all
      select z.owner_id, v.object_key, v.size from file_versions v join files f on f.id = v.file_id
      join zones z on z.id = f.zone_id`,
    );
    const sums = new Map<number, number>();
    for (const { owner, size } of files) sums.set(Number(owner), (sums.get(Number(owner)) ?? 0) + Number(size));
    expect(usage.map(({ reserved }) => Number(reserved))).toEqual(usage.map(() => 0));
    expect(new Map(usage.map(({ owner, used }) => [Number(owner), Number(used)]))).toEqual(sums);
    const keys = files.map(({ object_key }) => object_key.split('/').at(-1));
    expect((await this.listStoredFiles()).map(({ name }) => name).sort()).toEqual(keys.sort());
    expect(await this.query('select 1 from uploads union all select 1 from upload_parts')).toEqual([]);
  }
}
