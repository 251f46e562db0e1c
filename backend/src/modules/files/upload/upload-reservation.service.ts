import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql, type RawBuilder } from 'kysely';
import { addMilliseconds, Clock, MINUTE } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { AppError } from '../../../platform/errors/app-error.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { forEachIsolated } from '../../../platform/jobs/running/for-each-isolated.js';
import { newObjectKey } from '../../../platform/storage/storage.js';
import { MIB } from '../../../platform/text/byte-units.js';
import { UsageService } from '../../plans/usage.service.js';
import { deleteObjects } from '../files.jobs.js';
import { ResumableUploadSchema, UploadSchema } from '../entities/upload.entity.js';
import { MAX_FILE_BYTES } from '../access/file.policy.js';
import { fileErrors } from '../files.errors.js';

type Tables = typeof UploadSchema | typeof ResumableUploadSchema;

/** An upload under way: its object is announced, and bytes of a plan are held for it. */
export interface Reservation {
  readonly id: number;
  readonly objectKey: string;
  readonly ownerId: number;
  /** How long it may show no life, in milliseconds; `LEASE` when nothing is said. */
  readonly lease?: number;
}

/** An upload that has shown no life for this long is taken for dead. */
export const LEASE = 15 * MINUTE;
/** Bytes reserved at first of a body of unknown length; twice as many each time after that, and half as many when they did not fit. */
const FIRST_STEP = 8 * MIB;
const MIN_STEP = MIB / 4;
/** Uploads whose lease has ended that are asked for at once. */
const BATCH_SIZE = 500;
/** How often a slow request shows that it is alive. */
const EXTEND_INTERVAL = 3 * MINUTE;

/** What must be known of an upload to undo it; its parts are read before they go with its row. */
const releaseColumns = [
  'reserved' as const,
  'object_key' as const,
  'owner_id' as const,
  sql<string[]>`array(select object_key::text from upload_parts where upload_id = uploads.id)`.as('parts'),
];

/**
 * Uploads under way: what they reserve and what becomes of those that break off. Every method takes an entity manager,
 * because bytes come in outside the context of the request.
 */
@Injectable()
export class UploadReservationService {
  constructor(
    private readonly clock: Clock,
    private readonly usage: UsageService,
    private readonly jobs: JobsService,
  ) {}

  /**
   * Announces an object before its first byte is stored.
   * @param lease how long it may show no life, in milliseconds
   */
  async createReservation(em: EntityManager, ownerId: number, lease = LEASE): Promise<Reservation> {
    const now = this.clock.now();
    const objectKey = newObjectKey('files');
    const { id } = await query<Tables>(em)
      .insertInto('uploads')
      .values({ object_key: objectKey, owner_id: ownerId, lease_until: addMilliseconds(now, lease), created_at: now })
      .returning('id')
      .executeTakeFirstOrThrow();
    return { id: Number(id), objectKey, ownerId, lease };
  }

  /**
   * Holds bytes of the owner's plan: as many as wished, or where these do not fit, just the needed ones. So the
   * database is asked seldom, and yet the last byte of a plan can be used.
   * @returns the bytes held
   * @throws PLAN_LIMIT, UPLOAD_EXPIRED
   */
  async reserveBytes(em: EntityManager, reservation: Reservation, needed: number, preferred: number): Promise<number> {
    try {
      return await this.addReservedBytes(em, reservation, Math.max(needed, preferred));
    } catch (error) {
      if (preferred <= needed || !(error instanceof AppError) || error.code !== 'PLAN_LIMIT') throw error;
      return this.addReservedBytes(em, reservation, needed);
    }
  }

  /** Shows that the uploads of a request are alive, at least one of them. */
  async extendLeases(em: EntityManager, reservations: readonly Reservation[]): Promise<void> {
    await query<Tables>(em)
      .updateTable('uploads')
      .set({ lease_until: addMilliseconds(this.clock.now(), LEASE) })
      .where(
        'id',
        'in',
        reservations.map(({ id }) => id),
      )
      .execute();
  }

  /**
   * Turns uploads into files, in the transaction that writes the files' rows; the last thing in it, because it locks
   * the owner's usage.
   * @param bytes what the files really take
   * @throws UPLOAD_EXPIRED when one of them was cleaned up meanwhile
   */
  async commit(em: EntityManager, ownerId: number, reservations: readonly Reservation[], bytes: number): Promise<void> {
    const ids = reservations.map(({ id }) => id);
    const rows = await query<Tables>(em).deleteFrom('uploads').where('id', 'in', ids).returning('reserved').execute();
    if (rows.length < ids.length) throw fileErrors.UPLOAD_EXPIRED();
    const reserved = rows.reduce((sum, row) => sum + Number(row.reserved), 0);
    await this.usage.commitReservation(em, ownerId, 'bytes', reserved, bytes);
  }

  /** Undoes an upload that came to nothing; one that was settled after all stays. */
  async abandonUpload(em: EntityManager, { id }: Pick<Reservation, 'id'>): Promise<void> {
    await this.deleteUpload(em, id, sql<boolean>`true`);
  }

  /** Undoes every upload by, or in the zones of, somebody whose account is gone. */
  async abandonAllOfUser(em: EntityManager, userId: number, signal: AbortSignal): Promise<void> {
    const rows = await query<Tables>(em)
      .selectFrom('uploads as u')
      .leftJoin('resumable_uploads as r', 'r.upload_id', 'u.id')
      .select('u.id as id')
      .where((where) => where.or([where('u.owner_id', '=', userId), where('r.user_id', '=', userId)]))
      .execute();
    await forEachIsolated(rows, (row) => this.abandonUpload(em.fork(), row), signal, toLogContext);
  }

  /**
   * Ends the lease of all resumable uploads into a zone, or into folders, because these go: nobody can go on with them.
   * What they hold is given back by `giveBack`, or by the next `abandonExpired`.
   * @returns those uploads
   */
  async endLeases(
    em: EntityManager,
    destination: { readonly zoneId: number } | { readonly folderIds: readonly number[] },
  ) {
    const destinationSql =
      'zoneId' in destination
        ? sql`zone_id = ${destination.zoneId}`
        : sql`folder_id = any(${[...destination.folderIds]}::bigint[])`;
    const { rows } = await sql<{ id: number }>`
      with mine as materialized (
        select id, upload_id from resumable_uploads where ${destinationSql} and upload_id is not null order by upload_id for update
      ), gone as (delete from resumable_uploads r using mine where r.id = mine.id), held as materialized (
        select u.id from mine join uploads u on u.id = mine.upload_id order by u.id for update of u
      )
      update uploads set lease_until = ${this.clock.now()} from held where uploads.id = held.id returning uploads.id
    `.execute(query<Tables>(em));
    return rows;
  }

  /** Undoes uploads whose lease was ended. @throws as `abandonExpired` */
  async abandonEnded(em: EntityManager, ended: readonly { id: number }[]): Promise<void> {
    await forEachIsolated(ended, (row) => this.abandonIfExpired(em, row), undefined, toLogContext);
  }

  /**
   * Undoes all uploads whose lease has ended; one that cannot be undone keeps none of those behind it from being.
   * @throws AggregateError of those that could not, after all have had their turn
   */
  async abandonExpired(em: EntityManager, signal?: AbortSignal): Promise<void> {
    await forEachIsolated(this.findExpired(em), (row) => this.abandonIfExpired(em, row), signal, toLogContext);
  }

  /** Uploads whose lease has ended, each once: one that stays because it cannot be undone is not met again. */
  private async *findExpired(em: EntityManager): AsyncGenerator<{ id: number }> {
    for (let last = 0; ;) {
      const rows = await query<Tables>(em)
        .selectFrom('uploads')
        .select('id')
        .where('lease_until', '<=', this.clock.now())
        .where('id', '>', last)
        .orderBy('id')
        .limit(BATCH_SIZE)
        .execute();
      yield* rows;
      if (rows.length < BATCH_SIZE) return;
      last = rows.at(-1)!.id;
    }
  }

  /** Undoes an upload unless it has shown life meanwhile. */
  private abandonIfExpired(em: EntityManager, { id }: { id: number }): Promise<void> {
    return this.deleteUpload(em.fork(), id, sql<boolean>`lease_until <= ${this.clock.now()}`);
  }

  /** The resumable upload is locked before its reservation, as by whoever goes on with it: the key would do it after. */
  private async deleteUpload(em: EntityManager, id: number, condition: RawBuilder<boolean>): Promise<void> {
    await inTransaction(em, async (em) => {
      const db = query<Tables>(em);
      await db.selectFrom('resumable_uploads').select('id').where('upload_id', '=', id).forUpdate().execute();
      const row = await db
        .deleteFrom('uploads')
        .where('id', '=', id)
        .where(condition)
        .returning(releaseColumns)
        .executeTakeFirst();
      if (row) await this.releaseUpload(em, row);
    });
  }

  /** The objects go by a job of this transaction: the storage may be slow or away, and rows must not wait for it. */
  private async releaseUpload(
    em: EntityManager,
    row: { reserved: number; object_key: string; owner_id: number; parts: string[] },
  ): Promise<void> {
    await this.jobs.enqueue(em, deleteObjects, { objectKeys: [row.object_key, ...row.parts] });
    await this.usage.commitReservation(em, Number(row.owner_id), 'bytes', Number(row.reserved), 0);
  }

  private async addReservedBytes(em: EntityManager, reservation: Reservation, bytes: number): Promise<number> {
    const leaseUntil = addMilliseconds(this.clock.now(), reservation.lease ?? LEASE);
    await inTransaction(em, async (em) => {
      const updated = await query<Tables>(em)
        .updateTable('uploads')
        .set({ reserved: sql<number>`reserved + ${bytes}`, lease_until: leaseUntil })
        .where('id', '=', reservation.id)
        .executeTakeFirst();
      if (updated.numUpdatedRows === 0n) throw fileErrors.UPLOAD_EXPIRED();
      await this.usage.reserveUsage(em, reservation.ownerId, 'bytes', bytes);
    });
    return bytes;
  }
}

/** What the log tells of an upload. */
const toLogContext = ({ id }: { id: number }) => ({ uploadId: id });

/** A file of the request, while its bytes come in. */
export interface ReservedFile {
  readonly reservation: Reservation;
  /**
   * Holds as many bytes as have come; in advance, while there may be more.
   * @throws PLAN_LIMIT, UPLOAD_EXPIRED
   */
  ensureReserved(size: number, whole: boolean): Promise<void>;
  /** To be called when all bytes of the file have come: what is held beyond them serves the next file. */
  finishFile(size: number): void;
}

/** What the files of one request hold of the owner's plan. */
export class RequestReservations {
  readonly opened: Reservation[] = [];
  /** Bytes that are held and belong to no file yet. */
  private unassignedBytes = 0;
  private extendedAt: number;

  /** @param left bytes that the rest of the request can hold at most; null when it does not say */
  constructor(
    private readonly em: EntityManager,
    private readonly uploadReservation: UploadReservationService,
    private readonly clock: Clock,
    private remainingBytes: number | null,
  ) {
    this.extendedAt = clock.now().getTime();
  }

  /** Announces the next file. */
  async openFile(ownerId: number): Promise<ReservedFile> {
    const reservation = await this.uploadReservation.createReservation(this.em, ownerId);
    this.opened.push(reservation);
    await this.extendIfDue();
    const maxBytes = Math.min(MAX_FILE_BYTES, this.remainingBytes ?? MAX_FILE_BYTES);
    let step = this.remainingBytes ?? FIRST_STEP;
    let heldBytes = 0;
    return {
      reservation,
      ensureReserved: async (size, whole) => {
        await this.extendIfDue();
        const needed = size - heldBytes;
        if (needed <= 0) return;
        const wished = whole ? needed : Math.max(needed, Math.min(step, maxBytes - heldBytes));
        const got = await this.takeOrReserve(reservation, needed, wished);
        step = got < wished ? Math.max(MIN_STEP, Math.floor(step / 2)) : step * 2;
        heldBytes += got;
      },
      finishFile: (size) => {
        this.unassignedBytes += heldBytes - size;
        if (this.remainingBytes !== null) this.remainingBytes -= size;
      },
    };
  }

  /** Holds bytes as `UploadReservationService.reserve` does, but what is spare is taken first. */
  private async takeOrReserve(reservation: Reservation, needed: number, preferred: number): Promise<number> {
    const taken = Math.min(this.unassignedBytes, preferred);
    const more =
      taken < needed
        ? await this.uploadReservation.reserveBytes(this.em, reservation, needed - taken, preferred - taken)
        : 0;
    this.unassignedBytes -= taken;
    return taken + more;
  }

  /** Shows from time to time that the files of the request are alive, the earlier ones too, which wait for the later ones. */
  private async extendIfDue(): Promise<void> {
    const now = this.clock.now().getTime();
    if (now - this.extendedAt <= EXTEND_INTERVAL) return;
    this.extendedAt = now;
    await this.uploadReservation.extendLeases(this.em, this.opened);
  }
}
