import { Readable } from 'node:stream';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { addMilliseconds, Clock, HOUR } from '../../../platform/clock/clock.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { RateLimitService, type RateRule } from '../../../platform/http/limits/rate-limit.service.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { OnJob } from '../../../platform/jobs/on-job.decorator.js';
import { ReferencedObjects, type ObjectReferences } from '../../../platform/storage/ownership/referenced-objects.js';
import { newObjectKey, Storage, type ObjectInfo } from '../../../platform/storage/storage.js';
import { UserRepository } from '../../auth/users/user.repository.js';
import { accountErrors } from '../account.errors.js';
import { removeUnusedPicture } from '../account.jobs.js';
import { toSquareWebp } from './picture-image.js';
import { PictureRepository } from './picture.repository.js';

/** Limited because each upload waits in memory for its turn. */
const LIMIT_PER_USER: RateRule = { name: 'picture', limit: 30, window: HOUR };
const KEY_PREFIX = 'pictures';
const URL_PATH = '/api/pictures/';

/** Returns the object key of a picture URL, or null if the URL isn't one of ours. */
export function toPictureKey(url: string): string | null {
  const name = url.startsWith(URL_PATH) ? url.slice(URL_PATH.length) : '';
  return /^[0-9a-f]{40}$/.test(name) ? `${KEY_PREFIX}/${name.slice(0, 2)}/${name}` : null;
}

/** Profile pictures. Each has its own URL, which never shows a different picture. */
@Injectable()
export class PictureService implements ObjectReferences {
  private queue: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly storage: Storage,
    private readonly pictures: PictureRepository,
    private readonly users: UserRepository,
    private readonly limits: RateLimitService,
    private readonly jobs: JobsService,
    names: ReferencedObjects,
  ) {
    names.add(this);
  }

  /** Returns those of the objects that are pictures in use. */
  async findReferenced(keys: readonly string[]): Promise<string[]> {
    const urls = keys.filter((key) => key.startsWith(`${KEY_PREFIX}/`)).map((key) => URL_PATH + key.split('/').at(-1));
    if (urls.length === 0) return [];
    const used = await this.pictures.findUsedUrls(urls);
    return used.flatMap((url) => toPictureKey(url) ?? []);
  }

  /** Returns true if any user has a picture here. */
  hasReferences(): Promise<boolean> {
    return this.pictures.hasUrlWithPrefix(URL_PATH);
  }

  /**
   * Stores a picture and replaces the previous one.
   * @param read reads the upload; called only if the user may upload
   * @returns the picture's URL
   * @throws PICTURE_TYPE, PICTURE_UNREADABLE, STORAGE_UNAVAILABLE, TOO_MANY_REQUESTS, and whatever `read` throws
   */
  async setPicture(userId: number, read: () => Promise<Buffer>): Promise<string> {
    await this.limits.consume(LIMIT_PER_USER, userId);
    const bytes = await read();
    const image = await this.runExclusively(() => toSquareWebp(bytes));
    const key = newObjectKey(KEY_PREFIX);
    // Enqueued before the object exists, so that an unused object is cleaned up whatever happens from here on.
    await this.jobs.enqueue(
      this.em,
      removeUnusedPicture,
      { userId, key },
      { runAt: addMilliseconds(this.clock.now(), HOUR) },
    );
    await this.storage.write(key, Readable.from([image]));
    const url = URL_PATH + key.split('/').at(-1);
    await this.replacePicture(userId, url);
    return url;
  }

  removePicture(userId: number): Promise<void> {
    return this.replacePicture(userId, null);
  }

  /** Enqueues the removal of a picture that is no longer used, in the caller's transaction. */
  async enqueueRemoval(em: EntityManager, userId: number, url: string | null | undefined): Promise<void> {
    const key = url ? toPictureKey(url) : null;
    if (key !== null) await this.jobs.enqueue(em, removeUnusedPicture, { userId, key });
  }

  /**
   * Opens a picture.
   * @param name the last part of its URL
   * @throws PICTURE_NOT_FOUND, STORAGE_UNAVAILABLE
   */
  async openPicture(name: string): Promise<{ info: ObjectInfo; stream: Readable }> {
    const key = toPictureKey(URL_PATH + name);
    const info = key === null ? null : await this.storage.stat(key);
    if (!info) throw accountErrors.PICTURE_NOT_FOUND();
    return { info, stream: await this.storage.read(info.key) };
  }

  @OnJob(removeUnusedPicture)
  async removeIfUnused({ userId, key }: { userId: number; key: string }): Promise<void> {
    const url = await this.pictures.findUrl(userId);
    if (url && toPictureKey(url) === key) return;
    await this.storage.delete(key);
  }

  private async replacePicture(userId: number, url: string | null): Promise<void> {
    await inTransaction(this.em, async (em) => {
      const user = await this.users.lockUser(em, userId);
      await this.enqueueRemoval(em, userId, user.profileImageUrl);
      await this.pictures.updateUrl(em, user, url);
    });
  }

  /** Decodes one picture at a time, because each can briefly take hundreds of megabytes. */
  private runExclusively<T>(work: () => Promise<T>): Promise<T> {
    const run = this.queue.then(work, work);
    this.queue = run.catch(() => undefined);
    return run;
  }
}
