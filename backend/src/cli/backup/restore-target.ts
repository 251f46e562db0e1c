import type pg from 'pg';
import type { LocalStorage } from '../../platform/storage/local-storage.js';
import { serializeMark, parseMark } from '../../platform/storage/ownership/storage-mark.js';
import { CommandError } from './run-command.js';

/** The storage into which a restore brings contents: marked before the first of them, so that what a killed one left is known as its own. */
export class RestoreTarget {
  private constructor(
    private readonly storage: LocalStorage,
    private readonly installation: string,
  ) {}

  /**
   * Takes an empty storage, or one that an earlier restore into the same database has filled in part, which is emptied.
   * @throws CommandError when it holds anything else
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
    // Of an installation that was started before as well: no process takes the storage for whole until the end.
    await client.query('update installation set storage_marked_at = null');
    await target.writeMark(true, text === null);
    return target;
  }

  /** From the commit of this transaction on, the storage belongs to the installation. */
  async markOwned(client: pg.Client): Promise<void> {
    await client.query('update installation set storage_marked_at = now()');
  }

  /** The restore has ended. When this is cut off, the first start does it. */
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
