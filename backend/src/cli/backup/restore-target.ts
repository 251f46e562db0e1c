import type pg from 'pg';
import type { LocalStorage } from '../../platform/storage/local/local-storage.js';
import { serializeMark, parseMark } from '../../platform/storage/ownership/storage-mark.js';
import { CommandError } from './run-command.js';

/**
 * The storage into which files are restored. It is marked before the first file, so that the remains of an aborted
 * restore can be recognised.
 */
export class RestoreTarget {
  private constructor(
    private readonly storage: LocalStorage,
    private readonly installation: string,
  ) {}

  /**
   * Claims an empty storage, or one that an aborted restore into the same database has partly filled, which is emptied.
   * @throws CommandError when it contains anything else
   */
  static async claim(client: pg.Client, storage: LocalStorage): Promise<RestoreTarget> {
    const { rows } = await client.query<{ id: string }>('select id from installation');
    const target = new RestoreTarget(storage, rows[0]!.id);
    const text = await storage.readMark();
    const mark = text === null ? null : parseMark(text);
    if (mark?.restoring && mark.installation === target.installation) await target.deleteAll();
    for await (const { key } of storage.list('')) {
      throw new CommandError(
        `The target is not empty: its storage contains files (${key}). Restore to an empty target.`,
      );
    }
    // Also when the installation was started before: no process may use the storage until the restore is complete.
    await client.query('update installation set storage_marked_at = null');
    await target.writeMark(true, text === null);
    return target;
  }

  /** When this transaction commits, the storage belongs to the installation. */
  async markOwned(client: pg.Client): Promise<void> {
    await client.query('update installation set storage_marked_at = now()');
  }

  /** Marks the restore as complete. If this is interrupted, the first start does it. */
  clearRestoring(): Promise<void> {
    return this.writeMark(false, false);
  }

  private async deleteAll(): Promise<void> {
    for await (const { key } of this.storage.list('')) await this.storage.delete(key);
    await this.storage.removeUnfinished(new Date());
  }

  private writeMark(restoring: boolean, first: boolean): Promise<void> {
    return this.storage.writeMark(serializeMark({ installation: this.installation, turn: 0, restoring }), first);
  }
}
