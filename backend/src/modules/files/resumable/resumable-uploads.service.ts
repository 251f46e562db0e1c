import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { after, Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { AppError } from '../../../platform/errors/app-error.js';
import { MIB } from '../../../platform/text/sizes.js';
import { ZoneAccessService } from '../../zones/zone-access.service.js';
import { ZoneFullService } from '../../zones/zone-full.service.js';
import { zoneAbilities } from '../../zones/zone.policy.js';
import { zoneErrors } from '../../zones/zones.errors.js';
import { ResumableUploadSchema } from '../entities/resumable-upload.entity.js';
import { UploadSchema } from '../entities/upload.entity.js';
import { takenNames } from '../file-placement.js';
import { cleanName } from '../file-name.js';
import { fileErrors } from '../files.errors.js';
import { FolderPlaces, type Place } from '../folder-places.service.js';
import { MAX_FILE_BYTES } from '../incoming-bytes.js';
import { UploadIntents } from '../upload-intents.service.js';
import { CompleteUpload } from './complete-upload.service.js';
import { isOpen, RESUMABLE_FOR, type OpenUpload, type ResumableState } from './open-upload.js';
import { Segments } from './segments.js';
import { UploadParts } from './upload-parts.service.js';

type Tables = typeof ResumableUploadSchema | typeof UploadSchema;

/** Bytes stored at a time: what a process that dies in the middle loses at most of an upload. */
const SEGMENT = 8 * MIB;

/** Refusals after which an upload can never become a file: what it holds is given back with them. */
const FOR_GOOD = new Set([
  'ZONE_NOT_FOUND',
  'ZONE_FORBIDDEN',
  'FOLDER_NOT_FOUND',
  'MIRROR_READ_ONLY',
  'UPLOAD_TOO_LONG',
]);

/** What an upload is to become. */
export interface UploadWish {
  readonly id: string;
  readonly name: string;
  readonly zoneId: number;
  readonly folderId: number | null;
  readonly rename: boolean;
  /** Bytes. */
  readonly length: number;
}

/**
 * Uploads that can be resumed, each of one person. What is changed here is changed under the lock of the upload, and
 * by entity managers of its own, because bytes come in outside the context of the request.
 */
@Injectable()
export class ResumableUploads {
  private readonly logger = new Logger(ResumableUploads.name);

  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly access: ZoneAccessService,
    private readonly places: FolderPlaces,
    private readonly full: ZoneFullService,
    private readonly intents: UploadIntents,
    private readonly parts: UploadParts,
    private readonly completion: CompleteUpload,
  ) {}

  /**
   * Begins an upload: its bytes are held in the plan of the zone's owner from now on. An empty file is there at once.
   * @throws ZONE_NOT_FOUND, ZONE_FORBIDDEN, FOLDER_NOT_FOUND, MIRROR_READ_ONLY, INVALID_NAME, DUPLICATE_NAMES,
   * FILE_TOO_LARGE, PLAN_LIMIT (others than the owner: ZONE_FULL)
   */
  async begin(userId: number, wish: UploadWish): Promise<ResumableState> {
    const { ownerId } = await this.placeFor(userId, wish);
    const name = cleanName(wish.name, 'filename');
    if (wish.length > MAX_FILE_BYTES) throw fileErrors.FILE_TOO_LARGE({ name, allowed: MAX_FILE_BYTES / MIB });
    const em = this.em.fork();
    if (!wish.rename) {
      const taken = await takenNames(em, wish.zoneId, wish.folderId, [name]);
      if (taken.length > 0) throw fileErrors.DUPLICATE_NAMES({}, { names: taken });
    }
    const upload = await this.full.guard(ownerId, userId, () => this.open(em, userId, ownerId, { ...wish, name }));
    return upload.length === 0 ? this.receive(upload, empty()) : upload;
  }

  /**
   * An upload of this person, under way or done.
   * @throws UPLOAD_NOT_FOUND for those of others and those given up as well
   */
  async find(id: string, userId: number): Promise<ResumableState> {
    const row = await query<Tables>(this.em.fork())
      .selectFrom('resumable_uploads as r')
      .leftJoin('uploads as u', 'u.id', 'r.upload_id')
      .selectAll('r')
      .select(['u.object_key as objectKey', 'u.owner_id as ownerId'])
      .where('r.id', '=', id)
      .where('r.user_id', '=', userId)
      .where('r.expires_at', '>', this.clock.now())
      .executeTakeFirst();
    if (!row) throw fileErrors.UPLOAD_NOT_FOUND();
    const { upload_id: uploadId, objectKey, ownerId } = row;
    return {
      id: row.id,
      userId: Number(row.user_id),
      zoneId: Number(row.zone_id),
      folderId: row.folder_id === null ? null : Number(row.folder_id),
      name: row.name,
      rename: row.rename,
      length: Number(row.length),
      received: Number(row.received),
      expiresAt: row.expires_at,
      intent:
        uploadId === null || objectKey === null
          ? null
          : { id: Number(uploadId), objectKey, ownerId: Number(ownerId), lease: RESUMABLE_FOR },
      fileId: row.file_id === null ? null : Number(row.file_id),
    };
  }

  /**
   * Takes the next bytes of an upload. What has come counts, also when the source breaks off; the last byte makes the
   * file. One that is refused for good (its zone or folder is gone, the right to upload is lost) is given up at once.
   * @throws whatever the source breaks off with; what `CompleteUpload.complete` and `begin` throw
   */
  async receive(upload: ResumableState, source: AsyncIterable<Uint8Array>): Promise<ResumableState> {
    if (!isOpen(upload)) return upload;
    try {
      return await this.take(upload, source);
    } catch (error) {
      if (error instanceof AppError && FOR_GOOD.has(error.code)) await this.giveUp(upload);
      throw error;
    }
  }

  /**
   * Gives an upload up, with all that was stored of it; a file that it has become stays.
   * @throws UPLOAD_NOT_FOUND
   */
  async discard(id: string, userId: number): Promise<void> {
    const { intent } = await this.find(id, userId);
    const em = this.em.fork();
    if (intent) await this.intents.abandon(em, intent);
    else await query<Tables>(em).deleteFrom('resumable_uploads').where('id', '=', id).execute();
  }

  /** Forgets uploads that have long become files; those under way go with their reservation. */
  async forgetDone(): Promise<void> {
    await query<Tables>(this.em.fork())
      .deleteFrom('resumable_uploads')
      .where('upload_id', 'is', null)
      .where('expires_at', '<=', this.clock.now())
      .execute();
  }

  private async take(upload: OpenUpload, source: AsyncIterable<Uint8Array>): Promise<ResumableState> {
    const place = await this.placeFor(upload.userId, upload);
    const em = this.em.fork();
    const bytes = new Segments(source);
    let now: OpenUpload = upload;
    while ((await bytes.more()) || now.length === 0) {
      const part = await this.parts.store(em, now, bytes.next(Math.min(SEGMENT, now.length - now.received)));
      if (now.received + part.size < now.length) {
        now = await this.parts.keep(em, now, part);
        continue;
      }
      await this.assertEnd(em, bytes, part);
      const onConflict = now.rename ? 'rename' : 'refuse';
      const target = { place, userId: now.userId, onConflict } as const;
      const fileId = await this.completion.complete(em, now, target, part, bytes.head);
      return { ...now, received: now.length, intent: null, fileId };
    }
    if (bytes.failure) throw bytes.failure;
    return now;
  }

  private async giveUp({ id, intent }: OpenUpload): Promise<void> {
    try {
      await this.intents.abandon(this.em.fork(), intent);
    } catch (error) {
      this.logger.warn({ err: error, uploadId: id }, 'An upload that was refused is left to the sweep');
    }
  }

  /** More than was announced, or a source that breaks off at the very end: nothing is made of it. */
  private async assertEnd(em: EntityManager, bytes: Segments, part: { id: number; objectKey: string }): Promise<void> {
    if (!(await bytes.more()) && !bytes.failure) return;
    await this.parts.drop(em, part);
    throw bytes.failure ?? fileErrors.UPLOAD_TOO_LONG();
  }

  private async placeFor(
    userId: number,
    { zoneId, folderId }: { zoneId: number; folderId: number | null },
  ): Promise<Place> {
    const zone = await this.access.find(zoneId, userId);
    if (!zone) throw zoneErrors.ZONE_NOT_FOUND();
    if (!zoneAbilities(zone.role).manageFiles) throw zoneErrors.ZONE_FORBIDDEN();
    return this.places.toWrite(zone, userId, folderId);
  }

  /** Row, intent and reservation at once; the reservation last, because it locks what the owner uses. */
  private open(em: EntityManager, userId: number, ownerId: number, wish: UploadWish): Promise<OpenUpload> {
    const now = this.clock.now();
    const expiresAt = after(now, RESUMABLE_FOR);
    return inTransaction(em, async (em) => {
      const intent = await this.intents.open(em, ownerId, RESUMABLE_FOR);
      const { id, zoneId, folderId, name, rename, length } = wish;
      await query<Tables>(em)
        .insertInto('resumable_uploads')
        .values({
          ...{ id, name, rename, length, received: 0 },
          upload_id: intent.id,
          user_id: userId,
          zone_id: zoneId,
          folder_id: folderId,
          expires_at: expiresAt,
          created_at: now,
        })
        .execute();
      if (length > 0) await this.intents.reserve(em, intent, length, length);
      return { ...wish, userId, received: 0, expiresAt, intent, fileId: null };
    });
  }
}

async function* empty(): AsyncGenerator<Uint8Array> {}
