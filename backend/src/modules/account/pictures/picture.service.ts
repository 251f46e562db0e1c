import { Readable } from 'node:stream';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { after, Clock, HOUR } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { RateLimits, type RateRule } from '../../../platform/http/limits/rate-limits.service.js';
import { Jobs } from '../../../platform/jobs/jobs.service.js';
import { OnJob } from '../../../platform/jobs/on-job.decorator.js';
import { NamedObjects, type ObjectNames } from '../../../platform/storage/identity/named-objects.js';
import { newKey, Storage, type ObjectInfo } from '../../../platform/storage/storage.js';
import { User, type UserSchema } from '../../auth/entities/user.entity.js';
import { UserService } from '../../auth/users/user.service.js';
import { accountErrors } from '../account.errors.js';
import { removeUnusedPicture } from '../account.jobs.js';
import { toSquare } from './picture-image.js';

/** Each upload waits in memory for its turn. */
const BY_PERSON: RateRule = { name: 'picture', limit: 30, window: HOUR };
const FAMILY = 'pictures';
const PATH = '/api/pictures/';

/** The object of a picture's address, or null for an address that is none of ours. */
export function pictureKey(url: string): string | null {
  const name = url.startsWith(PATH) ? url.slice(PATH.length) : '';
  return /^[0-9a-f]{40}$/.test(name) ? `${FAMILY}/${name.slice(0, 2)}/${name}` : null;
}

/** Pictures of people. Each has an address of its own that never shows another one. */
@Injectable()
export class PictureService implements ObjectNames {
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly storage: Storage,
    private readonly users: UserService,
    private readonly limits: RateLimits,
    private readonly jobs: Jobs,
    names: NamedObjects,
  ) {
    names.add(this);
  }

  /** Of these objects, the pictures that somebody uses. */
  async namedAmong(keys: readonly string[]): Promise<string[]> {
    const urls = keys.filter((key) => key.startsWith(`${FAMILY}/`)).map((key) => PATH + key.split('/').at(-1));
    if (urls.length === 0) return [];
    const rows = await query<typeof UserSchema>(this.em.fork())
      .selectFrom('users')
      .select('profile_image_url as url')
      .where('profile_image_url', 'in', urls)
      .execute();
    return rows.flatMap(({ url }) => pictureKey(url ?? '') ?? []);
  }

  /** Whether anybody has a picture here. */
  async namesAny(): Promise<boolean> {
    const row = await query<typeof UserSchema>(this.em.fork())
      .selectFrom('users')
      .select('id')
      .where('profile_image_url', 'like', `${PATH}%`)
      .limit(1)
      .executeTakeFirst();
    return row !== undefined;
  }

  /**
   * Stores a picture in place of the one before.
   * @param read takes in the upload; called only when the person may upload one
   * @returns its address
   * @throws PICTURE_TYPE, PICTURE_UNREADABLE, STORAGE_UNAVAILABLE, TOO_MANY_REQUESTS, and whatever `read` throws
   */
  async set(userId: number, read: () => Promise<Buffer>): Promise<string> {
    await this.limits.spend(BY_PERSON, userId);
    const bytes = await read();
    const image = await this.inTurn(() => toSquare(bytes));
    const key = newKey(FAMILY);
    // Before the object is there: whatever happens from here on, one that nobody uses is found.
    await this.jobs.enqueue(this.em, removeUnusedPicture, { userId, key }, { runAt: after(this.clock.now(), HOUR) });
    await this.storage.write(key, Readable.from([image]));
    const url = PATH + key.split('/').at(-1);
    await this.replace(userId, url);
    return url;
  }

  /** Removes the picture, if there is one. */
  remove(userId: number): Promise<void> {
    return this.replace(userId, null);
  }

  /** Has the object of a picture that is no longer used removed, in the caller's transaction. */
  async discard(em: EntityManager, userId: number, url: string | null | undefined): Promise<void> {
    const key = url ? pictureKey(url) : null;
    if (key !== null) await this.jobs.enqueue(em, removeUnusedPicture, { userId, key });
  }

  /**
   * Opens a picture.
   * @param name the last part of its address
   * @throws PICTURE_NOT_FOUND, STORAGE_UNAVAILABLE
   */
  async open(name: string): Promise<{ info: ObjectInfo; stream: Readable }> {
    const key = pictureKey(PATH + name);
    const info = key === null ? null : await this.storage.stat(key);
    if (!info) throw accountErrors.PICTURE_NOT_FOUND();
    return { info, stream: await this.storage.read(info.key) };
  }

  @OnJob(removeUnusedPicture)
  async removeUnused({ userId, key }: { userId: number; key: string }): Promise<void> {
    const user = await this.em.findOne(User, { id: userId });
    if (user?.profileImageUrl && pictureKey(user.profileImageUrl) === key) return;
    await this.storage.delete(key);
  }

  private async replace(userId: number, url: string | null): Promise<void> {
    await inTransaction(this.em, async (em) => {
      const user = await this.users.lock(em, userId);
      await this.discard(em, userId, user.profileImageUrl);
      em.assign(user, { profileImageUrl: url, updatedAt: this.clock.now() });
    });
  }

  /** One picture at a time is unfolded: each can take hundreds of megabytes for a moment. */
  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.last.then(work, work);
    this.last = turn.catch(() => undefined);
    return turn;
  }
}
